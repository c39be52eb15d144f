import { listOf, t } from '../../messages/messages.ts';
import { type DoctorParts, type Finding, note, problem } from './parts.ts';

/** What the certificates say of themselves, and whether the one in use is for the addresses this machine has now. */
export async function checkCertificates({ certificates, addresses }: DoctorParts): Promise<Finding[]> {
  const found: Finding[] = [];
  // The household's own is made anew where it has to be: what is left after that needs a person.
  await certificates.refresh().catch((error: Error) => {
    found.push(problem(t('api.doctor.certificateFailed', { reason: error.message })));
  });
  found.push(...certificates.problems().map((text) => problem(text)));
  // IPv6 addresses of the internet come and go by the day: nobody types them.
  const uncovered = addresses().filter((address) => !address.includes(':') && !certificates.covers(address));
  if (uncovered.length === 0) return found;
  const names = certificates.current().names.filter((name) => !/^(?:localhost|127\.|::1$)/.test(name));
  found.push(note(t('api.doctor.certificateNames', { addresses: listOf(uncovered), names: listOf(names) })));
  return found;
}
