import type { Requirement } from '../lib/requirement.js'

const regression = (id: string, room: Requirement['room'], says: string): Requirement => ({
  id,
  kind: 'regression',
  room,
  says,
})

/** What was found when each specification was driven through its own door, tools aside, and in the numbers that the app shows. */
export const field: readonly Requirement[] = [
  regression('C-1', 'service', 'the live result of a tool reaches the model whole'),
  regression('C-2', 'service', "a client's assistant turns reach the model as assistant turns"),
  regression('C-3', 'service', 'POST /chat does not cut a message that the model has room for'),
  regression('C-4', 'tasks', 'create_real_task is specification 0 when no preset is named'),
  regression(
    'C-5',
    'service',
    'a long conversation goes on at /api/query: it is cut to 20 messages before it is measured',
  ),
  regression('C-6', 'core', 'the tagged prompt reaches an agent that takes one string'),
  regression('C-8', 'tasks', "throughline mcp hears specification 2's six constants"),
  regression('C-11', 'core', 'a model that is not in the catalogue gets a window that is assumed, said and can be set'),
  regression('C-13', 'service', 'a summary that is refused leaves a warning, a line of the log and a number'),
  regression('C-19', 'core', 'the warning from 15 messages on says what will happen'),
  regression('C-21', 'tasks', 'specification 2 has no token budget'),
  regression('C-22', 'service', 'the log event has the real session id and counts stored messages only'),
  regression('C-24', 'service', 'a session costs one call of the model a message'),
  regression('C-25', 'service', 'a policy that the operator names holds at /chat too'),
  regression('C-9', 'tasks', "specification 2's errors keep field, reason and value over MCP"),
  regression('C-14', 'tasks', 'compress: "model" takes the place of cutting'),
  regression('C-16', 'core', "the section names a role that is not one of specification 0's as it is"),
  regression('C-17', 'tasks', 'the history of a task is collected from what an orchestrator has'),
  regression('C-18', 'tasks', 'the pictures of a conversation travel with the task'),
  regression('C-20', 'core', 'a timestamp that is a number is no date of 1970'),
  regression('C-10', 'service', 'specification 1 has its half in the browser'),
  regression(
    'C-7',
    'recall',
    'recall over the workspace keeps conversations apart and leaves out what is not relevant',
  ),
  regression('C-12', 'service', 'the built-in responder quotes what was recalled'),
  regression('C-15', 'service', 'an idle server leaks no listener'),
  regression('C-23', 'recall', 'there are episodic and derived memories'),
  regression('C-26', 'service', 'a page says which specification is which, where its door is and what differs'),
  regression('D-1', 'core', 'as many messages are told as were sent'),
  regression('D-2', 'core', 'a request has one denominator'),
  regression('D-3', 'core', 'tools and requests cost what the provider counts for them'),
]
