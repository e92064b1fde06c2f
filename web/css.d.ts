declare module '*.css' {
  /** Its text, where it is read and not applied. */
  const text: string
  export default text
}
