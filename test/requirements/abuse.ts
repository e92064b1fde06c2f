import type { Requirement } from '../lib/requirement.js'

/** What the service withstands: the plan of abuse. */
export const abuse: readonly Requirement[] = [
  {
    id: 'A-01',
    kind: 'R',
    room: 'service',
    says: 'each route gives each caller what is theirs, and foreign is missing',
  },
  { id: 'A-03', kind: 'R', room: 'service', says: 'no way of writing a role or a turn makes it another one' },
  { id: 'A-04', kind: 'R', room: 'service', says: 'hostile JSON and HTTP are refused, and break nothing' },
  { id: 'A-08', kind: 'R', room: 'web', says: 'nothing that someone wrote runs, leaves or becomes markup' },
  {
    id: 'A-14',
    kind: 'R',
    room: 'service',
    says: 'no content, key or name of a person reaches a log or another caller',
  },
  { id: 'A-15', kind: 'R', room: 'service', says: 'what is deleted is in no byte of the files' },
  { id: 'A-18', kind: 'R', room: 'service', says: 'every answer is one that the OpenAPI document tells of' },
]
