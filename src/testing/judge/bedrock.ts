import { images } from './anthropic-media.js'
import { messagesOf, placed } from './claude.js'
import { blocks } from './ledger.js'
import { fields, type JudgeRule, list, rows, string } from './scope.js'

/** What Amazon Bedrock refuses on top of the Messages API itself. */
export const bedrock: readonly JudgeRule[] = [
  {
    id: 'BR-01',
    *find(scope) {
      if (list(scope.body.tools).length > 0) return
      if (!placed(scope).some(({ block }) => block.type === 'tool_use' || block.type === 'tool_result')) return
      yield ['tools', 'The toolConfig field must be defined when using toolUse and toolResult content blocks.']
    },
  },
  {
    id: 'BR-02',
    *find(scope) {
      const named = [
        ...rows(scope.body.tools).map(({ name }, at) => [`tools.${at}.name`, name] as const),
        ...placed(scope).flatMap(({ block, path }) => (block.type === 'tool_use' ? [[path, block.name] as const] : [])),
      ]
      for (const [path, name] of named) {
        if (string(name).length <= 64) continue
        const said = 'Member must have length less than or equal to 64'
        yield [path, `Value '${string(name)}' at '${path}' failed to satisfy constraint: ${said}`]
      }
    },
  },
  {
    id: 'BR-alternate',
    *find(scope) {
      const messages = messagesOf(scope)
      const at = messages.findIndex(({ role }, index) => index > 0 && role === messages[index - 1]?.role)
      if (at < 0) return
      const role = string(messages[at]?.role)
      const said = `roles must alternate between "user" and "assistant", but found multiple "${role}" roles in a row`
      yield [`messages.${at}`, `messages: ${said}`]
    },
  },
  {
    // bytes and pixels: 3.75 MB are the 5,242,880 characters of has the 8,000 pixels
    id: 'BR-03-images',
    *find(scope) {
      const found = images(scope)
      if (found.length > 20) yield ['messages', `too many images: ${found.length} > 20`]
    },
  },
  {
    id: 'BR-03-documents',
    *find(scope) {
      const documents = placed(scope).filter(({ block }) => block.type === 'document')
      if (documents.length > 5) yield ['messages', `too many documents: ${documents.length} > 5`]
      for (const { path, block, message } of documents) {
        const { data } = fields(block.source)
        if ((string(data).length * 3) / 4 > 4.5 * 1024 * 1024)
          yield [path, 'The document exceeds the maximum size of 4.5 MB.']
        if (!blocks(messagesOf(scope)[message]?.content).some(({ type }) => type === 'text')) {
          yield [path, 'A text block is required when a document is included in the message.']
        }
      }
    },
  },
  {
    id: 'BR-03-source',
    *find(scope) {
      for (const { path, block } of placed(scope)) {
        if ((block.type !== 'image' && block.type !== 'document') || fields(block.source).type !== 'url') continue
        yield [path, `${path}.${block.type}.source: URL sources are not supported`]
      }
    },
  },
]
