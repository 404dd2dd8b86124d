/** The embedded server in a process of its own; prints the URL of its API, and stops when its input ends. */
import { startServer } from 'coldfetch/server';

const server = await startServer();
console.log(server.apiUrl);
process.stdin.resume().on('end', () => void server.close());
