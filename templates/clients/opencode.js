// remember-me for opencode, written by `remember-me install opencode`; `remember-me uninstall opencode` removes it.
//
// It asks the command `remember-me hook opencode EVENT` and puts the answer where the model reads it. Whatever goes
// wrong with that, opencode goes on: nothing here throws, and nothing waits for longer than LIMIT_MS.

import { spawn } from "node:child_process"

const PROGRAM = "remember-me"
const OPTIONS = []
const LIMIT_MS = 2000
const MOST_BYTES = 1000000

// opencode asks the model for titles and summaries in the name of the same session.
const OWN_AGENTS = /^You are a (title generator|context summarization agent)/

const isRun = process.argv.slice(2).includes("run")

function ask(event, payload, cwd) {
  return new Promise((resolve) => {
    let out = ""
    let timer
    const end = (text) => {
      clearTimeout(timer)
      resolve(text)
    }
    try {
      const child = spawn(PROGRAM, ["hook", "opencode", event, ...OPTIONS], { cwd, stdio: ["pipe", "pipe", "ignore"] })
      timer = setTimeout(() => {
        child.kill("SIGKILL")
        end("")
      }, LIMIT_MS)
      child.on("error", () => end(""))
      child.stdin.on("error", () => {})
      child.stdout.setEncoding("utf8")
      child.stdout.on("error", () => {})
      child.stdout.on("data", (text) => {
        if (out.length < MOST_BYTES) out += text
      })
      child.on("close", (code) => end(code === 0 ? textOf(out) : ""))
      child.stdin.end(JSON.stringify({ ...payload, cwd }))
    } catch {
      end("")
    }
  })
}

function textOf(out) {
  try {
    const text = JSON.parse(out).additionalContext
    return typeof text === "string" ? text : ""
  } catch {
    return ""
  }
}

// An id of a part that sorts behind those of the same moment.
function partId() {
  const time = ((BigInt(Date.now()) << 12n) | 0xfffn) & 0xffffffffffffn
  return "prt_" + time.toString(16).padStart(12, "0") + Math.random().toString(36).slice(2, 16).padEnd(14, "0")
}

export const RememberMe = async ({ client, directory }) => {
  const sessions = new Map()

  const seen = (id) => {
    if (!sessions.has(id)) sessions.set(id, {})
    return sessions.get(id)
  }

  // Whether the session is that of a subagent: then the model wrote its prompts. Undefined where nobody says.
  const isChild = async (id) => {
    const session = seen(id)
    if (session.child === undefined) {
      const late = new Promise((resolve) => setTimeout(resolve, 500))
      const found = await Promise.race([client.session.get({ path: { id } }), late]).catch(() => undefined)
      if (found && found.data) session.child = Boolean(found.data.parentID)
    }
    return session.child
  }

  const block = (id) => {
    const session = seen(id)
    session.block ??= ask("session-start", { sessionID: id, interactive: !isRun }, directory)
    return session.block
  }

  const close = async (id) => {
    const session = sessions.get(id)
    sessions.delete(id)
    if (session?.block) await ask("session-end", { sessionID: id, interactive: !isRun }, directory)
  }

  const events = {
    "session.created": async ({ info }) => {
      seen(info.id).child = Boolean(info.parentID)
      if (!info.parentID) await block(info.id)
    },
    "session.compacted": async ({ sessionID }) => {
      delete seen(sessionID).block
    },
    "session.idle": async ({ sessionID }) => {
      if (await isChild(sessionID)) return
      await ask("stop", { sessionID, interactive: !isRun }, directory)
    },
    "session.deleted": async ({ info }) => {
      await close(info.id)
    },
    "permission.asked": async ({ sessionID }) => {
      await ask("permission", { sessionID, interactive: !isRun }, directory)
    },
  }

  return {
    event: async ({ event }) => {
      try {
        await events[event.type]?.(event.properties)
      } catch {}
    },

    "chat.message": async (input, output) => {
      try {
        const child = await isChild(input.sessionID)
        if (child) return
        await block(input.sessionID) // first: the answer to a prompt depends on what the session has seen
        const typed = output.parts.filter((part) => part.type === "text" && !part.synthetic && !part.ignored)
        const prompt = typed.map((part) => part.text).join("\n")
        const { id: messageID, sessionID } = output.message
        const interactive = !isRun && child === false
        const text = await ask("prompt", { sessionID, messageID, prompt, interactive }, directory)
        if (text) output.parts.push({ id: partId(), sessionID, messageID, type: "text", text, synthetic: true })
      } catch {}
    },

    "experimental.chat.system.transform": async (input, output) => {
      try {
        if (!input.sessionID || OWN_AGENTS.test(output.system[0] ?? "")) return
        if (await isChild(input.sessionID)) return
        const text = await block(input.sessionID)
        if (text) output.system.push(text)
      } catch {}
    },

    "experimental.session.compacting": async ({ sessionID }) => {
      try {
        await ask("pre-compact", { sessionID, interactive: !isRun }, directory)
        delete seen(sessionID).block
      } catch {}
    },

    dispose: async () => {
      await Promise.all([...sessions.keys()].map(close))
    },

    "shell.env": async ({ sessionID }, output) => {
      try {
        if (!sessionID) return
        output.env.OPENCODE = "1"
        output.env.OPENCODE_SESSION_ID = sessionID
      } catch {}
    },
  }
}
