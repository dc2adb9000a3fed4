export { correction } from './correction.ts';
export { reconcile } from './reconcile.ts';
export { report } from './report.ts';
