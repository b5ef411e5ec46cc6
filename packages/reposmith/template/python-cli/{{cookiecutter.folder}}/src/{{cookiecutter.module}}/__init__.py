"""The command line; see cli.py."""

{% set text = cookiecutter.description | replace('\\', '\\\\') -%}
{% if text.count('"') > text.count("'") -%}
DESCRIPTION = '{{ text | replace("'", "\\'") }}'
{%- else -%}
DESCRIPTION = "{{ text | replace('"', '\\"') }}"
{%- endif %}
__version__ = "0.1.0"
