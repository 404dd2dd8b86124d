import type { ErrorRequestHandler, Request, RequestHandler, Router } from 'express';
import type { StorageEngine } from 'multer';
import { codeOf } from '../../request/errors/causes.js';
import { handlePromise } from '../express/handlePromise.js';
import type { Peers } from '../express/loadPeers.js';
import type { RequestLog } from '../express/RequestLog.js';
import type { FileStore, ReceivedFile } from './FileStore.js';
import { StorageError } from './StorageError.js';
import { FILE_BYTES, type UploadPolicy } from './UploadPolicy.js';

/** Parts of the server that a signed POST uses. */
export interface StorageContext {
  readonly files: FileStore;
  readonly policy: UploadPolicy;
  readonly log: RequestLog;
}

/**
 * Object storage: `POST /storage/KEY`, multipart, every signed field first, then `file`; 204 when it is kept. As with S3, fields behind the
 * file are not seen, the file's own content type does not matter, and its hash is not compared with the key.
 */
export function storageRoutes({ express, multer }: Peers, context: StorageContext): Router {
  const arrived = new WeakMap<Request, { readonly key: string; readonly file: ReceivedFile }>();
  const upload = multer({
    storage: engine(context, (request, key, file) => arrived.set(request, { key, file })),
    limits: { files: 1, fileSize: FILE_BYTES.most },
  });
  const router = express.Router();
  router.post(
    '/:key',
    requireLength,
    requireForm,
    upload.single('file'),
    handlePromise(async (request, response) => {
      const upload = arrived.get(request);
      if (upload === undefined) throw new StorageError(400, 'InvalidArgument', 'POST requires exactly one file upload per request.');
      const { key, file } = upload;
      context.log.received(request, file.bytes, file.sha256);
      if (file.bytes < FILE_BYTES.least) {
        await context.files.drop(file.path);
        throw new StorageError(400, 'EntityTooSmall', 'Your proposed upload is smaller than the minimum allowed size', {
          ProposedSize: file.bytes,
          MinSizeAllowed: FILE_BYTES.least,
        });
      }
      await context.files.keep(file, key);
      response.status(204).end();
    }),
  );
  router.use(() => {
    throw new StorageError(405, 'MethodNotAllowed', 'The specified method is not allowed against this resource.');
  });
  router.use(answerXml);
  return router;
}

/** Storage engine of multer over a {@link FileStore}; by then all fields before the file are known, so a bad form writes nothing. */
function engine({ files, policy }: StorageContext, done: (request: Request, key: string, file: ReceivedFile) => void): StorageEngine {
  const store = async (request: Request, stream: Express.Multer.File['stream']): Promise<Partial<Express.Multer.File>> => {
    const key = policy.verify(request.body as Record<string, unknown>, Date.now());
    if (key !== request.params.key) throw new StorageError(403, 'AccessDenied', 'Access Denied: the form is for another key');
    const file = await files.receive(stream);
    done(request, key, file);
    return { path: file.path, size: file.bytes };
  };
  return {
    _handleFile: (request, file, callback) => {
      // Multer 2 ends the file of an upload that is broken off; with Multer 1 it would wait for the rest.
      request.once('close', () => {
        if (!request.complete) file.stream.destroy(new Error('The upload was broken off'));
      });
      store(request, file.stream).then(
        (info) => callback(null, info),
        (error: unknown) => {
          file.stream.resume();
          callback(error);
        },
      );
    },
    _removeFile: (_request, file, callback) => {
      files.drop(file.path).then(
        () => callback(null),
        (error: unknown) => callback(error instanceof Error ? error : new Error(String(error))),
      );
    },
  };
}

/** Chunked uploads are refused, as by S3: it asks for the length beforehand. */
const requireLength: RequestHandler = (request, _response, next) => {
  if (request.headers['content-length'] === undefined) {
    throw new StorageError(411, 'MissingContentLength', 'You must provide the Content-Length HTTP header.');
  }
  next();
};

const requireForm: RequestHandler = (request, _response, next) => {
  if (request.is('multipart/form-data') === false) {
    throw new StorageError(412, 'PreconditionFailed', 'Bucket POST must be of the enclosure-type multipart/form-data');
  }
  next();
};

const answerXml: ErrorRequestHandler = (error: unknown, _request, response, next) => {
  if (response.headersSent || response.destroyed) {
    next(error);
    return;
  }
  const answer = toStorageError(error);
  response.status(answer.status).type('application/xml').send(answer.toXml());
};

function toStorageError(error: unknown): StorageError {
  if (error instanceof StorageError) return error;
  const code = codeOf(error);
  if (code === 'LIMIT_FILE_SIZE') {
    return new StorageError(400, 'EntityTooLarge', 'Your proposed upload exceeds the maximum allowed size', {
      MaxSizeAllowed: FILE_BYTES.most,
    });
  }
  if (code !== undefined && /^(LIMIT|MISSING|INVALID)_/.test(code)) {
    return new StorageError(400, 'InvalidArgument', 'POST requires exactly one file upload per request.');
  }
  if (typeof error === 'object' && error !== null && 'syscall' in error) {
    return new StorageError(500, 'InternalError', 'We encountered an internal error. Please try again.');
  }
  return new StorageError(400, 'MalformedPOSTRequest', 'The body of your POST request is not well-formed multipart/form-data.');
}
