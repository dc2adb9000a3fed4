/** A record for keys from outside: it inherits nothing, so that no id can name what every object has. */
export function emptyRecord<T>(): Record<string, T> {
  const record: Record<string, T> = Object.create(null);
  return record;
}
