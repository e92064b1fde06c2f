// What the user and the orchestrator say to one another before there is a task.
export const conversation = [
  { role: 'user', content: 'I need to add a new feature for user authentication' },
  {
    role: 'assistant',
    content: 'That has four parts: middleware, sessions, hashing of passwords, and JWT tokens. Which one is first?',
  },
  { role: 'user', content: 'Focus on JWT tokens first, and do not touch the sessions' },
  { role: 'assistant', content: 'JWT tokens first. Two agents will look into it and a third will review login.js.' },
]
