/** The usage examples of specification 0, word for word. */
export const jwt = [
  {
    role: 'user',
    content: 'I need to add a new feature for user authentication',
    timestamp: '2025-10-29T10:00:00',
  },
  {
    role: 'assistant',
    content:
      "I'll help you implement user authentication. This involves several components: (1) authentication middleware, (2) session management, (3) password hashing with bcrypt, (4) JWT token generation. We should follow OAuth 2.0 patterns for best security practices.",
    timestamp: '2025-10-29T10:00:15',
  },
  {
    role: 'user',
    content: 'Focus on JWT tokens first',
    timestamp: '2025-10-29T10:01:00',
  },
]

export const jwtDeliverables = [
  'JWT token generation function',
  'Token validation middleware',
  'Unit tests for token lifecycle',
]

export const slowQueries = [
  {
    role: 'user',
    content:
      "I've been experiencing a critical performance issue with our database queries. The user dashboard page is taking over 10 seconds to load, and I've noticed that we're running multiple N+1 queries in the ORM layer. This is affecting production users and we need to fix it ASAP. Can you help me optimize these queries and add proper indexing?",
  },
  {
    role: 'orchestrator',
    content:
      "I've analyzed the database query performance issue. The problem is in the user_dashboard.py file where we're loading user data with related posts and comments. Each user triggers separate queries for posts (N+1) and each post triggers separate queries for comments (N+1 of N+1). This creates O(n²) database queries. The solution involves: (1) using select_related() for foreign keys, (2) using prefetch_related() for reverse foreign keys, (3) adding database indexes on user_id and post_id columns, (4) implementing query result caching for frequently accessed data.",
  },
]
