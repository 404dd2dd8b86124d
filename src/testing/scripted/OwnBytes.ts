/** Bytes in an `ArrayBuffer` of their own: `Uint8Array<ArrayBuffer>`, in a form that TypeScript before 5.7 reads, too. */
export type OwnBytes = ReturnType<Uint8Array['slice']>;
