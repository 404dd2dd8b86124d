import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { StorageError } from './StorageError.js';

/** Least and most bytes of a file. */
export const FILE_BYTES = { least: 1, most: 50 * 1024 * 1024 } as const;

/** Permission of one signed upload. */
export interface UploadGrant {
  readonly key: string;
  readonly contentType: string;
  /** Wall-clock time in ms. */
  readonly expires: number;
}

/** The fields of a form, as they came: text, or several texts under one name. */
export type FormFields = Readonly<Record<string, unknown>>;

const ALGORITHM = 'AWS4-HMAC-SHA256';

/**
 * Signs uploads and checks them, like S3's browser POST: the form carries the policy, and every field has to match it. The secret is this
 * process's own, so a restart makes all earlier signatures void.
 *
 * @see https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-HTTPPOSTConstructPolicy.html
 */
export class UploadPolicy {
  readonly #secret = randomBytes(32);

  /** Form fields of an upload, in the order in which they have to be sent. */
  sign(grant: UploadGrant, now: number): Record<string, string> {
    const signed = {
      key: grant.key,
      'Content-Type': grant.contentType,
      'X-Amz-Algorithm': ALGORITHM,
      'X-Amz-Date': new Date(now).toISOString().replace(/\.\d+|[-:]/g, ''),
    };
    const conditions = [
      ['content-length-range', FILE_BYTES.least, FILE_BYTES.most],
      ...Object.entries(signed).map(([k, v]) => ['eq', `$${k}`, v]),
    ];
    const policy = Buffer.from(JSON.stringify({ expiration: new Date(grant.expires).toISOString(), conditions })).toString('base64');
    return { ...signed, Policy: policy, 'X-Amz-Signature': this.#signature(policy) };
  }

  /** The key that `form` may write. @throws StorageError 403 when it is not signed, was changed, or has expired */
  verify(form: FormFields, now: number): string {
    const fields = new Map(Object.entries(form).map(([name, value]) => [name.toLowerCase(), value]));
    const policy = fields.get('policy');
    const signature = fields.get('x-amz-signature');
    if (typeof policy !== 'string' || typeof signature !== 'string')
      throw denied('Access Denied: the form fields must come before the file');
    if (!this.#isSigned(policy, signature)) {
      throw new StorageError(
        403,
        'SignatureDoesNotMatch',
        'The request signature we calculated does not match the signature you provided.',
      );
    }
    const { expiration, conditions } = readPolicy(policy);
    if (now >= Date.parse(expiration)) throw denied('Invalid according to Policy: Policy expired.');
    fields.delete('policy');
    fields.delete('x-amz-signature');
    for (const condition of conditions) {
      const [rule, name, value] = condition;
      if (rule !== 'eq') continue;
      const field = String(name).slice(1).toLowerCase();
      if (fields.get(field) !== value) throw denied(`Invalid according to Policy: Policy Condition failed: ${JSON.stringify(condition)}`);
      fields.delete(field);
    }
    const extra = [...fields.keys()];
    if (extra.length > 0) throw denied(`Invalid according to Policy: Extra input fields: ${extra.join(', ')}`);
    return String(form.key);
  }

  #signature(policy: string): string {
    return createHmac('sha256', this.#secret).update(policy).digest('hex');
  }

  #isSigned(policy: string, signature: string): boolean {
    const expected = Buffer.from(this.#signature(policy));
    const given = Buffer.from(signature);
    return given.length === expected.length && timingSafeEqual(given, expected);
  }
}

/** Called only with a policy whose signature fits: {@link UploadPolicy.sign} wrote it. */
function readPolicy(policy: string): { expiration: string; conditions: readonly (readonly unknown[])[] } {
  return JSON.parse(Buffer.from(policy, 'base64').toString()) as { expiration: string; conditions: readonly (readonly unknown[])[] };
}

function denied(message: string): StorageError {
  return new StorageError(403, 'AccessDenied', message);
}
