// The floor: a bare loop over undici that makes the same model calls with the same growing history. No framework, no
// gate, no journal, no events.
import { Pool } from "undici";

export const setup = ({ baseUrl, tool }) => {
  const { origin, pathname } = new URL(baseUrl);
  const pool = new Pool(origin, { connections: 256 });
  const path = `${pathname}/chat/completions`;
  const tools = [
    {
      type: "function",
      function: {
        name: tool.name,
        description: tool.description,
        parameters: { type: "object", properties: { key: { type: "string" } }, required: ["key"] },
      },
    },
  ];
  return async () => {
    const messages = [{ role: "user", content: "Go." }];
    for (;;) {
      const { body } = await pool.request({
        method: "POST",
        path,
        headers: { "content-type": "application/json" },
        body: JSON.stringify({
          model: "scripted",
          stream: true,
          stream_options: { include_usage: true },
          tools,
          messages,
        }),
      });
      const decoder = new TextDecoder();
      const calls = [];
      let buffer = "";
      let text = "";
      for await (const chunk of body) {
        buffer += decoder.decode(chunk, { stream: true });
        for (let end = buffer.indexOf("\n\n"); end >= 0; end = buffer.indexOf("\n\n")) {
          const data = buffer.slice(6, end);
          buffer = buffer.slice(end + 2);
          if (data === "[DONE]") continue;
          const delta = JSON.parse(data).choices[0]?.delta;
          if (delta === undefined) continue;
          if (delta.content) text += delta.content;
          for (const part of delta.tool_calls ?? []) {
            const call = (calls[part.index] ??= {
              id: part.id,
              type: "function",
              function: { name: part.function.name, arguments: "" },
            });
            call.function.arguments += part.function.arguments;
          }
        }
      }
      if (calls.length === 0) return text;
      messages.push({ role: "assistant", content: text, tool_calls: calls });
      const results = await Promise.all(calls.map((call) => tool.execute(JSON.parse(call.function.arguments))));
      calls.forEach((call, at) => messages.push({ role: "tool", tool_call_id: call.id, content: results[at] }));
    }
  };
};
