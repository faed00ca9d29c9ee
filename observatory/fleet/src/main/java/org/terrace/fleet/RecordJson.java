package org.terrace.fleet;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.util.Collection;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Records as JSON: an object with a field for each component, in their order; lists as arrays,
 * enums by their words, null as null, and numbers that JSON has no form for as texts. Of a library
 * for JSON the machine that runs a task may have another version. Stateless.
 */
final class RecordJson {
  private static final String INDENT = "  ";

  private final StringBuilder out = new StringBuilder();

  private RecordJson() {}

  /** The text of a record of a package that is open to all. */
  static String of(Record value) {
    RecordJson json = new RecordJson();
    json.put(value, "");
    return json.out.append('\n').toString();
  }

  private void put(@Nullable Object value, String indent) {
    switch (value) {
      case null -> out.append("null");
      case Record fields -> putFields(fields, indent);
      case Map<?, ?> map -> {
        Separator separator = new Separator(indent);
        out.append('{');
        map.forEach((key, each) -> putField(String.valueOf(key), each, separator));
        separator.end('}');
      }
      case Collection<?> elements -> {
        Separator separator = new Separator(indent);
        out.append('[');
        for (Object element : elements) {
          separator.next();
          put(element, separator.indent);
        }
        separator.end(']');
      }
      case Double number when !Double.isFinite(number) -> putText(number.toString());
      case Number number -> out.append(number);
      case Boolean flag -> out.append(flag);
      case Enum<?> word -> putText(word.toString());
      case String text -> putText(text);
      default ->
          throw new IllegalArgumentException("no form in JSON for " + value.getClass().getName());
    }
  }

  private void putFields(Record fields, String indent) {
    Separator separator = new Separator(indent);
    out.append('{');
    for (RecordComponent component : fields.getClass().getRecordComponents()) {
      try {
        putField(component.getName(), component.getAccessor().invoke(fields), separator);
      } catch (IllegalAccessException | InvocationTargetException e) {
        throw new IllegalStateException(component + " cannot be read", e);
      }
    }
    separator.end('}');
  }

  private void putField(String name, @Nullable Object value, Separator separator) {
    separator.next();
    putText(name);
    out.append(": ");
    put(value, separator.indent);
  }

  private void putText(String text) {
    out.append('"');
    for (int i = 0; i < text.length(); i++) {
      char each = text.charAt(i);
      switch (each) {
        case '"' -> out.append("\\\"");
        case '\\' -> out.append("\\\\");
        case '\n' -> out.append("\\n");
        case '\r' -> out.append("\\r");
        case '\t' -> out.append("\\t");
        default -> {
          if (each < ' ') {
            out.append(String.format(Locale.ROOT, "\\u%04x", (int) each));
          } else {
            out.append(each);
          }
        }
      }
    }
    out.append('"');
  }

  /** The commas and lines between the elements of an object or an array. */
  private final class Separator {
    private final String outer;
    private final String indent;
    private boolean isFirst = true;

    Separator(String outer) {
      this.outer = outer;
      this.indent = outer + INDENT;
    }

    void next() {
      out.append(isFirst ? "\n" : ",\n").append(indent);
      isFirst = false;
    }

    void end(char bracket) {
      if (!isFirst) {
        out.append('\n').append(outer);
      }
      out.append(bracket);
    }
  }
}
