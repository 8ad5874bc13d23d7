// A poker bot that plays at `arena server` by HTTP: in Node.js 18 or later, or on a page.
//
//     node http_bot.js http://127.0.0.1:9380 TOKEN_FILE my-bot rule 100
//
// The last words are the bot's name, its opponent and hands.  REQUEST=7 in the environment goes on
// with request 7.  Change decide() to make it yours; docs/json.md explains the fields of a decision.

"use strict";

// Return an action: here the smallest raise, or else a check or call.
function decide(decision) {
  const choice = decision.legal.at(-1);
  return { action: choice.action, to: choice.min };
}

// Return the JSON of an answer; wait where the server is busy, or is started again.
async function ask(server, token, method, path, body) {
  const headers = { Authorization: `Bearer ${token}` };
  for (;;) {
    let seconds = 1 + Math.random();
    try {
      const text = body && JSON.stringify(body);
      const answer = await fetch(server + path, { method, headers, body: text });
      const document = await answer.json();
      if (answer.ok) return document;
      if (document.error === "not_asked") return null;
      if (!("seconds" in document)) return Promise.reject(document.message);
      seconds = document.seconds;
    } catch (error) {
      if (!(error instanceof TypeError)) throw error; // of fetch: there is no connection
    }
    await new Promise((resolve) => setTimeout(resolve, 1000 * seconds));
  }
}

const web = globalThis.crypto ?? require("node:crypto").webcrypto;
const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
const bytesOf = (text) => Uint8Array.from(text.match(/../g), (pair) => parseInt(pair, 16));
const sha256 = async (bytes) => hex(new Uint8Array(await web.subtle.digest("SHA-256", bytes)));

// Play a match; return its last state.  A page without https has no SHA-256, and says no words.
async function play(server, token, wanted, number) {
  const words = number || !web.subtle ? "" : hex(web.getRandomValues(new Uint8Array(16)));
  const words_sha256 = words && (await sha256(new TextEncoder().encode(words)));
  number ??= (await ask(server, token, "POST", "/api/requests", { ...wanted, words_sha256 })).request;
  console.log(`request ${number}`);
  const path = `/api/requests/${number}`;
  let state = { event: 0, state: "waiting" };
  let deals = null;
  while (["waiting", "playing"].includes(state.state)) {
    state = await ask(server, token, "GET", `${path}/play?after=${state.event}`);
    deals ??= state.deals;
    if (state.deals?.words_wanted) await ask(server, token, "POST", `${path}/words`, { words });
    for (const decision of state.decisions)
      await ask(server, token, "POST", `${path}/play`, { id: decision.id, ...decide(decision) });
  }
  if (state.result?.hands_played && web.subtle) {
    const commitment = await sha256(bytesOf(state.result.secret));
    if (commitment !== deals.commitment || !state.result.words.includes(words))
      throw new Error("the host may have chosen the cards");
  }
  return state;
}

async function main([server, file, bot, opponent, hands]) {
  if (!hands) throw new Error("want SERVER TOKEN_FILE BOT OPPONENT HANDS");
  const token = require("node:fs").readFileSync(file, "utf8").trim();
  const wanted = { bot, digest: "http_bot 1", opponent, hands: Number(hands) };
  const state = await play(server.replace(/\/$/, ""), token, wanted, process.env.REQUEST);
  console.log(JSON.stringify(state.result ?? state.request));
}

if (typeof process !== "undefined")
  main(process.argv.slice(2)).catch((error) => {
    console.error(error.message ?? error);
    process.exitCode = 1;
  });
