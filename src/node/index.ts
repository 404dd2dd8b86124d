/**
 * coldfetch/node: files as bodies, uploads of screenshot builds, responses kept in folders.
 *
 * @packageDocumentation
 */
export { BUILD_API, buildClient, type BuildClientOptions } from './buildClient.js';
export { fileBody, type FileBodyOptions } from './fileBody.js';
export { type FinalizedEvent, finalizeBuilds, type FinalizeOptions } from './finalizeBuilds.js';
export { type FileCache, fileCache, type FileCacheOptions } from './fileCache.js';
export type { FileStamp } from './files/FileStamp.js';
export { formTarget, type FormTargetOptions } from './formTarget.js';
export { multipartBody, type MultipartFile } from './multipartBody.js';
export { putTarget, type PutTargetOptions } from './putTarget.js';
export { type RecordingFetch, recorder, type RecorderOptions } from './recorder.js';
export type { Screenshot } from './Screenshot.js';
export { type S3Credentials, s3Signer } from './s3Signer.js';
export { screenshots, type ScreenshotsOptions } from './screenshots.js';
export { skipBuild, type SkippedEvent } from './skipBuild.js';
export { uploadBuild } from './uploadBuild.js';
export type {
  Build,
  CompletedEvent,
  CreatedEvent,
  DoneEvent,
  FailedEvent,
  HashedEvent,
  ProgressEvent,
  StopReason,
  SummaryEvent,
  UploadBuildEvent,
  UploadWaitEvent,
} from './UploadBuildEvent.js';
export type { BuildDetails, ParallelOptions, UploadBuildOptions } from './UploadBuildOptions.js';
export type { UploadOptions } from './UploadOptions.js';
export type { InspectedFile, PreparedUpload, UploadFile, UploadPart, UploadTarget } from './UploadTarget.js';
export type { PutAddress, PutAddressing } from './upload/put/PutAddress.js';
export type { ChecksumHeader } from './upload/put/checksumHeaders.js';
export { uploadTo } from './uploadTo.js';
export { uploadPolicy, type UploadPolicy } from './uploadPolicy.js';
export { isUploadError, UploadError } from './UploadError.js';
