const PROBE_MS = 2_000;

/** Whether an address answers 200 now. */
export async function answers(url: string): Promise<boolean> {
  try {
    const { ok } = await fetch(url, { signal: AbortSignal.timeout(PROBE_MS) });
    return ok;
  } catch {
    return false; // Not listening yet, or too slow: the caller asks again.
  }
}
