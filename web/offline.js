// SPDX-License-Identifier: Zlib
// Keeps the page for when there is no network: its files of one state together, and none of another one. make_site.py writes the state.
const STATE = "teemap-@STATE@";
const FILES = ["./", "page.css", "page.js", "worker.js", "teemap.simd.wasm", "manifest.json", "icon.svg"];

oninstall = (event) => event.waitUntil((async () => {
  const kept = await caches.open(STATE);
  await kept.addAll(FILES.map((name) => new Request(name, { cache: "no-cache" })));
  await skipWaiting();
})());

onactivate = (event) => event.waitUntil((async () => {
  for (const name of await caches.keys()) if (name.startsWith("teemap-") && name !== STATE) await caches.delete(name);
})());

onfetch = (event) => { // all else is the browser's work: Firefox tells of an error where a worker's fetch is stopped
  const address = event.request.url.replace(/(index\.html)?([?#].*)?$/, "");
  if (!FILES.some((name) => new URL(name, registration.scope).href === address)) return;
  event.respondWith((async () => (await (await caches.open(STATE)).match(address)) ?? fetch(event.request))());
};
