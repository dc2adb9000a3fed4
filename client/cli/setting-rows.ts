interface Setting {
  readonly name: string;
  readonly default: string;
  readonly meaning: string;
  readonly secret: boolean;
}

type Variables = Readonly<Record<string, string | undefined>>;

/** One setting as `standdown config` shows it. */
export interface SettingRow {
  readonly name: string;
  /** Null where the default holds; never a secret's text. */
  readonly value: string | null;
  readonly from: 'environment' | 'addresses.json' | null;
  readonly default: string;
  readonly meaning: string;
}

/** Every setting with its value, secrets and passwords in addresses hidden. `env` is `given` with what addresses.json adds. */
export function settingRows(settings: readonly Setting[], given: Variables, env: Variables): readonly SettingRow[] {
  return settings.map(({ name, default: fallback, meaning, secret }) => {
    const text = env[name] || null;
    const value = text === null ? null : secret ? '(set, hidden)' : text.replace(/\/\/[^/@\s]*@/g, '//(hidden)@');
    const from = text === null ? null : given[name] ? 'environment' : 'addresses.json';
    return { name, value, from, default: fallback, meaning };
  });
}
