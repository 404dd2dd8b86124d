import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { fileProblem } from '../../node/files/fileErrors.js';
import { isUsageError, UsageError } from '../../request/errors/UsageError.js';
import { messageOf } from '../../request/networkError.js';
import { wallClock } from '../../time.js';
import type { Io } from '../Io.js';
import type { Sourced } from './settings/Setting.js';

/** Certificate authorities that are trusted, beside those that Node trusts or in their place. */
export interface Authorities {
  /** Certificates of the authorities, in PEM. */
  readonly certificates: readonly string[];
  /** True if they take the place of those that come with Node. */
  readonly isWhole: boolean;
}

/** Blocks of a PEM file that hold a certificate, whose labels OpenSSL reads (RFC 7468 section 5.1). */
const CERTIFICATES = /-----BEGIN ((?:X509 |TRUSTED )?CERTIFICATE)-----.*?-----END \1-----/gs;
const PRIVATE_KEY = /-----BEGIN [A-Z ]*PRIVATE KEY-----/;

/**
 * Reads the authorities of a PEM file: those of `--ca` are trusted as well as those of Node; those of SSL_CERT_FILE, which curl and OpenSSL
 * read too, in their place. NODE_EXTRA_CA_CERTS, which Node itself reads at its start, adds to either. Undefined where neither names a
 * file.
 *
 * @param given file of `--ca`, or that of its field in the config file
 * @throws UsageError that names place, file and remedy: where the file cannot be read, is not PEM, holds no certificate of an authority, or
 * only ones that are not valid now
 */
export async function readAuthorities(
  given: Sourced<string> | undefined,
  { env, cwd }: Pick<Io, 'env' | 'cwd'>,
): Promise<Authorities | undefined> {
  const added = given ?? variable(env, 'COLDFETCH_CA');
  const whole = variable(env, 'SSL_CERT_FILE');
  if (!added && !whole) return undefined;
  const files = [whole, added].flatMap((file) => (file ? [file] : []));
  const certificates = await Promise.all(files.map((file) => readCertificates(file, cwd)));
  return { certificates: certificates.flat(), isWhole: whole !== undefined };
}

function variable(env: Io['env'], name: string): Sourced<string> | undefined {
  const value = env[name];
  return value ? { value, from: name } : undefined;
}

async function readCertificates({ value, from }: Sourced<string>, cwd: string): Promise<readonly string[]> {
  const path = resolve(cwd, value);
  const wrong = (problem: string, cause?: unknown): UsageError => new UsageError(`${from}: ${path} ${problem}`, { cause });
  const bytes = await readFile(path).catch((cause: unknown) => {
    const problem = fileProblem(path, cause);
    throw isUsageError(problem) ? new UsageError(`${from}: ${problem.message}; name a PEM file of certificates`, { cause }) : problem;
  });
  const text = bytes.toString('latin1');
  const blocks = text.match(CERTIFICATES) ?? [];
  if (blocks.length === 0) throw wrong(missing(bytes, text));
  const certificates = blocks.map((block, index) => {
    try {
      return new X509Certificate(block);
    } catch (cause) {
      throw wrong(`is damaged: its certificate ${index + 1} of ${blocks.length} cannot be read (${messageOf(cause)}); get it anew`, cause);
    }
  });
  const valid = certificates.filter(isValidNow);
  const [first] = certificates;
  if (valid.length === 0 && first) throw wrong(notValid(first, certificates.length));
  if (!valid.some(isAuthority)) throw wrong(`holds no certificate of an authority; name that of the issuer, ${issuers(valid)}`);
  return valid.map(String);
}

/** Problem of a file without a certificate in PEM. */
function missing(bytes: Buffer, text: string): string {
  if (isDer(bytes)) return 'is a certificate in DER, not in PEM; convert it: openssl x509 -inform der -in FILE -out ca.pem';
  if (PRIVATE_KEY.test(text)) return "holds a private key and no certificate; name the authority's certificate";
  return 'holds no certificate in PEM (-----BEGIN CERTIFICATE-----); name a PEM file of certificates';
}

function isDer(bytes: Buffer): boolean {
  try {
    return new X509Certificate(bytes).raw.length > 0;
  } catch {
    return false;
  }
}

function notValid({ subject, validFrom, validTo }: X509Certificate, count: number): string {
  const name = count === 1 ? oneLine(subject) : `${oneLine(subject)} and ${count - 1} more`;
  return Date.parse(validTo) < wallClock()
    ? `holds a certificate that has expired: ${name}, valid until ${validTo}; get a newer one, unless the clock of this machine is wrong`
    : `holds a certificate that is not valid yet: ${name}, valid from ${validFrom}; the clock of this machine may be wrong`;
}

function isValidNow({ validFrom, validTo }: X509Certificate): boolean {
  const now = wallClock();
  return Date.parse(validFrom) <= now && now <= Date.parse(validTo);
}

/** True if a certificate vouches for others, or for itself, as that of a single server may. */
function isAuthority({ ca, subject, issuer }: X509Certificate): boolean {
  return ca || subject === issuer;
}

function issuers(certificates: readonly X509Certificate[]): string {
  return [...new Set(certificates.map(({ issuer }) => oneLine(issuer)))].join(' or ');
}

/** A name of X.509, whose fields Node writes one a line. */
function oneLine(name: string): string {
  return name.replaceAll('\n', ', ');
}
