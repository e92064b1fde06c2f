/** Whose address counts: the client's, behind proxies that are trusted, and the network's where a client has many. */
import { BlockList, isIP, isIPv6 } from 'node:net'

/** What a request came from, as far as limits are concerned. */
type AddressOf = (headers: Headers, peer: string | undefined) => { readonly remote?: string }

/** `trusted` are addresses and networks, as `10.0.0.0/8`; `X-Forwarded-For` of anyone else is not believed. */
export function clientAddress(trusted: readonly string[]): AddressOf {
  const proxies = blockList(trusted)
  const isProxy = (address: string): boolean => proxies.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')
  return (headers, peer) => {
    if (peer === undefined) return {}
    const way = (headers.get('x-forwarded-for') ?? '').split(',').map((one) => plainAddress(one.trim()))
    let client = plainAddress(peer)
    // from the right: what stands further left was written by whoever is not trusted
    for (let at = way.length - 1; at >= 0 && isIP(client) && isProxy(client); at--) client = way[at] || client
    return { remote: isIPv6(client) ? networkOf(client) : client }
  }
}

function blockList(networks: readonly string[]): BlockList {
  const list = new BlockList()
  for (const network of networks) {
    const [address = '', bits] = network.split('/')
    const family = isIPv6(address) ? 'ipv6' : 'ipv4'
    if (bits === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(bits), family)
  }
  return list
}

/** Without what a mapped address, brackets or a port add to it. */
const plainAddress = (text: string): string =>
  text
    .replace(/^\[(.*)\](?::\d+)?$/, '$1')
    .replace(/^::ffff:(?=\d+\.)/i, '')
    .replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1')

/** One customer has 2^64 addresses of IPv6. */
function networkOf(address: string): string {
  const [head = '', tail] = (address.split('%')[0] as string).split('::')
  const [left, right] = [groups(head), groups(tail ?? '')]
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - left.length - right.length)
  return `${[...left, ...Array<string>(zeros).fill('0'), ...right].slice(0, 4).join(':')}::/64`
}

const groups = (text: string): string[] => (text === '' ? [] : text.split(':'))
