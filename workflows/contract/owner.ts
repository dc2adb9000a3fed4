/** Whether what `owner` names (a run and, after a slash, one of its activities) was begun for `whole`: the same, or its run. */
export function isOf(owner: string, whole: string): boolean {
  return owner === whole || owner.startsWith(`${whole}/`);
}
