import { type DoctorParts, type Finding, note, problem } from './parts.ts';

/** Checks the certificates, and whether the one in use covers the machine's present addresses. */
export async function checkCertificates({ certificates, addresses }: DoctorParts): Promise<Finding[]> {
  const found: Finding[] = [];
  // The household's own certificate is renewed if needed; remaining problems need a person.
  await certificates.refresh().catch((error: Error) => {
    found.push(problem(`The certificate could not be looked at or renewed: ${error.message}. Check the disk.`));
  });
  found.push(...certificates.problems().map((text) => problem(text)));
  // Global IPv6 addresses change daily, and nobody types them.
  const uncovered = addresses().filter((address) => !address.includes(':') && !certificates.covers(address));
  if (uncovered.length === 0) return found;
  const names = certificates.current().names.filter((name) => !/^(?:localhost|127\.|::1$)/.test(name));
  found.push(
    note(
      `The certificate is not for ${uncovered.join(', ')}, so that devices refuse Larder there. Reach it as ${names.join(', ')}; another name or address is added with --name.`,
    ),
  );
  return found;
}
