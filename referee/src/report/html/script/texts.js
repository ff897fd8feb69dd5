"use strict";
// The words of the page, in its language: T("lifts", { pit: "A3" }).
const TEXTS = JSON.parse(document.getElementById("texts").textContent);
const T = (key, values = {}) => (TEXTS[key] ?? key).replace(/\{(\w+)\}/g, (_, name) => values[name]);
const at = (id) => document.getElementById(id);
