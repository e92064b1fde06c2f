/** What the service refused, or that it could not be reached. */

export interface FieldFault {
  readonly path: string
  readonly message: string
}

interface ApiFacts {
  /** 0 when there was no answer. */
  readonly status: number
  /** Stable; `unreachable` when there was no answer. */
  readonly code: string
  readonly detail: string
  readonly errors?: readonly FieldFault[]
  /** The rest of the problem: `run` of a conversation that is busy, `head` of a branch that moved. */
  readonly more?: Readonly<Record<string, unknown>>
  readonly cause?: unknown
}

const brand = Symbol.for('throughline.ApiError')

/** A refusal of the service, with its stable `code`. */
export class ApiError extends Error {
  readonly status: number
  readonly code: string
  readonly errors: readonly FieldFault[]
  readonly more: Readonly<Record<string, unknown>>

  constructor({ status, code, detail, errors = [], more = {}, cause }: ApiFacts) {
    super(detail, cause === undefined ? undefined : { cause })
    this.name = 'ApiError'
    this.status = status
    this.code = code
    this.errors = errors
    this.more = more
    Object.defineProperty(this, brand, { value: true })
  }

  /** Also true for the error of another copy of this package. */
  static is(value: unknown): value is ApiError {
    return typeof value === 'object' && value !== null && brand in value
  }
}

/** A refusal as an error, whatever stands in its body. */
export async function refusalOf(response: Response): Promise<ApiError> {
  const { status } = response
  const text = await response.text().catch(() => '')
  const problem = parsed(text)
  const { code, detail, title, errors, type: _, status: __, instance: ___, ...more } = problem
  return new ApiError({
    status,
    code: typeof code === 'string' ? code : `http_${status}`,
    detail:
      ([detail, title].find((one) => typeof one === 'string') as string | undefined) ??
      `the service answered ${status}`,
    errors: Array.isArray(errors) ? (errors as FieldFault[]) : [],
    more,
  })
}

function parsed(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}
