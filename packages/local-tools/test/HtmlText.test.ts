import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { htmlText } from "../src/HtmlText.ts";

describe("htmlText", () => {
  it.each([
    ["<h1>Hello</h1><p>to <a href='/x'>all</a></p><p>again</p>", "# Hello\n\nto [all](https://a.example/x)\n\nagain"],
    ["<ul><li>one<li>two</ul>", "- one\n- two"],
    ["a<br>b", "a\nb"],
    ["<script>var a = '<p>';</script>shown<style>p { }</style>", "shown"],
    ["1 < 2 &amp;&amp; 3 &gt; 2 &#x41;&#66;&nbsp;&unknown;", "1 < 2 && 3 > 2 AB &unknown;"],
    ["<!-- no --><b>bold</b> text", "bold text"],
    ["<pre>if (a) {\n    b();\n}</pre>", "if (a) {\n    b();\n}"],
    ["<a href='javascript:alert(1)'>click</a> <a href='#top'>up</a>", "click up"],
    ["<img alt='a cat' src=x>", "a cat"],
    ['<p title="a > b">text</p>', "text"],
    ["<table><tr><td>a</td><td>b</td></tr></table>", "| a | b"],
    ["<title>T</title><body>text", "T\n\ntext"],
    ["&#xD800;&#1114112;", "\ufffd\ufffd"],
    ["no html at all", "no html at all"],
    ["<", "<"],
    ["<script>never closed", ""],
    ["<!-- never closed", ""],
  ])("of %j", (html, text) => {
    expect(htmlText(html, "https://a.example/b")).toBe(text);
  });

  it("reads anything, and never takes long", () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom("<", ">", "a", "/", "!--", "-->", "p", " ", "href=", '"', "script", "&#", ";")),
        (pieces) => {
          expect(typeof htmlText(pieces.join(""))).toBe("string");
        },
      ),
    );
    for (const piece of [
      "<",
      "<a href=x>",
      "<!--",
      "<a ",
      "<script>",
      "<script></",
      "&#",
      "<pre>",
      " \n ",
      "<a href='",
      "<p ",
    ])
      expect(typeof htmlText(piece.repeat(200_000))).toBe("string");
    expect(htmlText(`<pre>a${" ".repeat(1_000_000)}b`)).toHaveLength(1_000_002);
  });
});
