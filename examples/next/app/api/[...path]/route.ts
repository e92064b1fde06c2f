import { backend } from '../../service'

const answer = async (request: Request) => (await backend()).service.fetch(request)

export { answer as DELETE, answer as GET, answer as POST }
