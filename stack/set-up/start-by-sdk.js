// Run by sdk-download.js: the SDK offers a download only as a part of starting a server.
import { TestWorkflowEnvironment } from '@temporalio/testing';

const [kind, version = '', downloadDir = ''] = process.argv.slice(2);
const executable = /** @type {const} */ ({ type: 'cached-download', version, downloadDir });
const environment =
  kind === 'cli'
    ? await TestWorkflowEnvironment.createLocal({ server: { executable } })
    : await TestWorkflowEnvironment.createTimeSkipping({ server: { executable } });
await environment.teardown();
