// The site of the guides: pages come from docs/ by way of scripts/site.mjs; nothing is asked of another host.
import { defineConfig } from 'vitepress'

const pages = (...list) => list.map(([text, link]) => ({ text, link }))

export default defineConfig({
  title: 'Throughline',
  description: 'Conversation continuity for LLM agents: the log never forgets, the window always fits, the receipt explains.',
  lang: 'en',
  base: '/guide/',
  srcDir: 'pages',
  outDir: 'dist',
  cleanUrls: true,
  lastUpdated: false,
  head: [['link', { rel: 'icon', href: '/guide/icon.svg', type: 'image/svg+xml' }]],
  markdown: { theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' } },
  themeConfig: {
    logo: '/icon.svg',
    search: { provider: 'local' },
    outline: { level: [2, 3] },
    docFooter: { prev: false, next: false },
    nav: pages(
      ['Start', '/tutorials/coding-agent'],
      ['How to', '/library'],
      ['Reference', '/receipts'],
      ['Why', '/architecture'],
    ),
    sidebar: [
      {
        text: 'Tutorials',
        items: pages(
          ['Watch your coding agent', '/tutorials/coding-agent'],
          ['A chat with memory in Next.js', '/tutorials/next-chat'],
          ['Hand a task to another agent', '/tutorials/hand-off'],
          ['A support bot on PostgreSQL', '/tutorials/support-bot'],
        ),
      },
      {
        text: 'How to',
        items: pages(
          ['Use the library', '/library'],
          ['Run the service', '/service'],
          ['Use the app', '/app'],
          ['Connect coding agents', '/agents'],
          ['Keep histories', '/history'],
          ['Recall what was said', '/recall'],
          ['Search', '/search'],
          ['Keep your client', '/dialects'],
          ['Adapters', '/adapters'],
          ['Connect over MCP', '/mcp'],
          ['Move from another memory', '/migrate'],
        ),
      },
      {
        text: 'Reference',
        items: pages(
          ['Command line', '/cli'],
          ['Policies', '/policies'],
          ['The five specifications', '/specifications'],
          ['Receipts', '/receipts'],
          ['Targets', '/targets'],
          ['Provider rules', '/rules'],
          ['Dialects and suites', '/dialects-table'],
          ['File format', '/format'],
          ['Import and export', '/transfer'],
          ['Stability', '/stability'],
          ['Glossary', '/glossary'],
          ['Changes', '/changelog'],
        ),
      },
      {
        text: 'Explanation',
        items: pages(
          ['How it is built', '/architecture'],
          ['Reliability', '/reliability'],
          ['Compared with others', '/compare'],
          ['Torture table', '/torture'],
          ['Decisions', '/decisions'],
        ),
      },
    ],
  },
})
