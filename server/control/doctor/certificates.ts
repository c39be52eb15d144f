import { listOf, t } from '../../messages/messages.ts';
import { type DoctorParts, type Finding, note, problem } from './parts.ts';

/** Checks the certificates, and whether the one in use covers the machine's present addresses. */
export async function checkCertificates({ certificates, addresses }: DoctorParts): Promise<Finding[]> {
  const found: Finding[] = [];
  // The household's own certificate is renewed if needed; remaining problems need a person.
  await certificates.refresh().catch((error: Error) => {
    found.push(problem(t('api.doctor.certificateFailed', { reason: error.message })));
  });
  found.push(...certificates.problems().map((text) => problem(text)));
  // Global IPv6 addresses change daily, and nobody types them.
  const uncovered = addresses().filter((address) => !address.includes(':') && !certificates.covers(address));
  if (uncovered.length === 0) return found;
  const names = certificates.current().names.filter((name) => !/^(?:localhost|127\.|::1$)/.test(name));
  found.push(note(t('api.doctor.certificateNames', { addresses: listOf(uncovered), names: listOf(names) })));
  return found;
}
