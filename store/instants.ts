/** `ms` after an instant of the ledger (ISO, UTC, milliseconds). */
export function later(at: string, ms: number): string {
  return new Date(Date.parse(at) + ms).toISOString();
}
