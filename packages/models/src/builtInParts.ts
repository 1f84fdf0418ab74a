/** The parts every rehearsal model knows, as a file of parts. Also an example of how to write one. */
export const builtInParts = String.raw`# The parts that are always there. A part is played when the prompt holds every entry of its "when".
- name: todo-report
  example: Collect every TODO comment into issues.md
  when:
    - "todo*"
    - "collect*|find|gather*|list|report*|summar*|issues*|every|all"
  steps:
    - say: I look for every TODO comment first.
      call:
        tool: grep
        input: { pattern: TODO, exclude: issues.md, max_matches: 2000 }
    - say: >-
        {% assign hits = last.lines | hits | reject: "path", "issues.md" %}{% if hits.size == 0 -%}
        There is none; I say so in issues.md.
        {%- else -%}
        I found {{ hits.size | count: "TODO comment" }} and write {% if hits.size == 1 %}it{% else %}them{% endif %} to issues.md, grouped by module.
        {%- endif %}
      call:
        tool: file_write
        input:
          path: issues.md
          content: |
            # Issues
            {% assign hits = last.lines | hits | reject: "path", "issues.md" %}{% assign notes = last.lines | notes %}{% assign modules = hits | group_by: "module" %}
            {% if hits.size == 0 %}No TODO comments were found.
            {% else %}{{ hits.size | count: "TODO comment" }} in {{ modules.size | count: "module" }}.
            {% for note in notes %}
            Note of the search: {{ note | prose }}
            {% endfor %}{% for module in modules %}
            ## {{ module.name | prose }} ({{ module.items.size }})

            {% for hit in module.items %}- {{ hit.place | code }} {{ hit.text | comment: "TODO" | prose }}
            {% endfor %}{% endfor %}{% endif -%}
    - say: >-
        {% assign hits = results[0].lines | hits | reject: "path", "issues.md" %}{% assign notes = results[0].lines | notes %}{% assign modules = hits | group_by: "module" %}{% if hits.size == 0 -%}
        I found no TODO comment. issues.md says so.
        {%- else -%}
        I found {{ hits.size | count: "TODO comment" }} in {{ modules.size | count: "module" }} and wrote {% if hits.size == 1 %}it{% else %}them{% endif %} to issues.md:
        {%- for module in modules %} {{ module.name | plain }} ({{ module.items.size }}){% unless forloop.last %},{% endunless %}{% endfor %}.
        {%- endif %}{% for note in notes %} The search noted: {{ note | plain }}{% endfor %}
  otherwise: >-
    I could not finish the report: the call of {{ failed.tool }} {{ failed.outcome }}.
    {%- if failed.tool == "file_write" %} issues.md was not written by me.{% endif %}
    {%- if failed.text != "" %} It said: {{ failed.text | truncate: 400 }}{% endif %}

- name: hello
  example: What can you do?
  when:
    - "hello|hi|hey|what can you do|who are you|what is this|help"
  steps:
    - say: >-
        Hello! I am Kumiko, a runtime for agents that read, change and run things on your machine: every step is decided
        by rules you can read, written down before it happens, and stopped at your word. Try “Collect every TODO comment
        into issues.md” in a folder with source code, and watch what I ask before I write.
`;
