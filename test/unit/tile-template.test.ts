import { describe, expect, it } from 'vitest';
import { isTileTemplate, tileOrigin } from '../../dist/server/settings/tile-template.js';

describe('the template of map tiles', () => {
  it.each([
    'https://tiles.example/{z}/{x}/{y}.png',
    'https://tiles.example:8443/styles/basic/{z}/{y}/{x}@2x.png',
    'https://localhost:8443/{z}/{x}/{y}',
    'https://tiles.example/tile?x={x}&y={y}&z={z}&key=a-b_c',
  ])('%s is accepted', (template) => {
    expect(isTileTemplate(template)).toBe(true);
  });

  it.each([
    ['', 'nothing'],
    ['http://tiles.example/{z}/{x}/{y}.png', 'no https'],
    ['//tiles.example/{z}/{x}/{y}.png', 'no scheme'],
    ['javascript:alert({z}{x}{y})', 'another scheme'],
    ['https://user:secret@tiles.example/{z}/{x}/{y}.png', 'credentials'],
    ['https://user@tiles.example/{z}/{x}/{y}.png', 'a user name'],
    ['https://{z}.tiles.example/{x}/{y}.png', 'a placeholder in the host'],
    ['https://{s}.tiles.example/{z}/{x}/{y}.png', 'a placeholder of servers'],
    ['https://tiles.example{z}/{x}/{y}.png', 'a placeholder that continues the host'],
    ['https://tiles.example:{z}/{x}/{y}.png', 'a placeholder as the port'],
    ['https://tiles.example/{x}/{y}.png', 'no zoom'],
    ['https://tiles.example/{z}/{y}.png', 'no column'],
    ['https://tiles.example/{z}/{x}.png', 'no row'],
    ['https://tiles.example/{z}/{z}/{x}/{y}.png', 'a placeholder twice'],
    ['https://tiles.example/{z}/{x}/{y}{r}.png', 'another placeholder'],
    ['https://tiles.example/{{z}}/{x}/{y}.png', 'more braces'],
    ['https://tiles.example/{z}/{x}/{y}.png#part', 'a fragment'],
    ['https://tiles.example/../{z}/{x}/{y}.png', 'dots in the path'],
    ['https://tiles.example/%2e%2e/{z}/{x}/{y}.png', 'encoded dots in the path'],
    ['https://tiles.example\\{z}/{x}/{y}.png', 'a backslash'],
    ['https://tiles.example/{z}/{x}/{y}.png\nhttps://other.example', 'a line break'],
    ['https://tiles.example/{z} {x} {y}', 'spaces'],
    ['https://tiles.example;img-src *;/{z}/{x}/{y}.png', 'a further directive'],
    ["https://tiles.example/{z}/{x}/{y}'.png", 'a quote'],
    ['https://*.example/{z}/{x}/{y}.png', 'any host'],
    ['https://Tiles.Example/{z}/{x}/{y}.png', 'a host that browsers write in another way'],
    ['https://münchen.example/{z}/{x}/{y}.png', 'a host with other letters'],
    ['https://0x7f.1/{z}/{x}/{y}.png', 'an address that browsers write in another way'],
    ['https://tiles.example:443/{z}/{x}/{y}.png', 'the usual port'],
    ['https://tiles.example:99999/{z}/{x}/{y}.png', 'no port'],
    ['https:///{z}/{x}/{y}.png', 'no host'],
    [`https://tiles.example/${'a'.repeat(500)}/{z}/{x}/{y}.png`, 'too long a text'],
  ])('%s is refused: %s', (template) => {
    expect(isTileTemplate(template)).toBe(false);
  });

  it('has one origin', () => {
    expect(tileOrigin('https://tiles.example:8443/{z}/{x}/{y}.png')).toBe('https://tiles.example:8443');
  });
});
