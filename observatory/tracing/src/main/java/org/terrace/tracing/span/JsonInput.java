package org.terrace.tracing.span;

import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.core.json.JsonFactory;

/**
 * JSON values that are read one after another, in bounded memory. Every error tells the line and
 * column. Confined to one thread.
 */
final class JsonInput {
  private static final int NUMBER_CHARS_MAX = 100;
  private static final long NANOS_A_MICRO = 1_000;

  private static final JsonFactory FACTORY =
      JsonFactory.builder()
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(Limits.DEPTH_MAX)
                  .maxStringLength(Limits.TEXT_CHARS_MAX)
                  .maxNumberLength(NUMBER_CHARS_MAX)
                  .build())
          .build();

  private final JsonParser parser;

  /** The reading of a field's value, which consumes it whole or leaves it untouched. */
  interface FieldReading {
    void read(String name) throws IOException;
  }

  /** The reading of an array's element. */
  interface Reading {
    void read() throws IOException;
  }

  JsonInput(InputStream input) {
    parser = FACTORY.createParser(ObjectReadContext.empty(), input);
  }

  /** Goes to the next value of the stream, and tells whether there is one. */
  boolean next() throws IOException {
    return advance() != null;
  }

  boolean atObject() {
    return parser.currentToken() == JsonToken.START_OBJECT;
  }

  boolean atArray() {
    return parser.currentToken() == JsonToken.START_ARRAY;
  }

  /** Reads the fields of an object; what the reader leaves untouched is passed over. */
  void object(FieldReading field) throws IOException {
    if (!atObject()) {
      throw expected("an object");
    }
    while (advance() == JsonToken.PROPERTY_NAME) {
      String name = parser.currentName();
      JsonToken value = advance();
      long token = parser.currentTokenCount();
      field.read(name);
      boolean untouched = parser.currentTokenCount() == token;
      if (untouched && value != null && value.isStructStart()) {
        skip();
      }
    }
  }

  /** Reads the elements of an array; null is an empty one. */
  void array(Reading element) throws IOException {
    if (isNull()) {
      return;
    }
    if (!atArray()) {
      throw expected("an array");
    }
    while (advance() != JsonToken.END_ARRAY) {
      element.read();
    }
  }

  boolean isNull() {
    return parser.currentToken() == JsonToken.VALUE_NULL;
  }

  /** A text, or a number or boolean as text; empty for null. */
  String text() throws IOException {
    JsonToken token = parser.currentToken();
    if (token == JsonToken.VALUE_NULL) {
      return "";
    }
    if (token == null || !token.isScalarValue()) {
      throw expected("a text");
    }
    try {
      return parser.getString();
    } catch (JacksonException e) {
      throw damaged(e);
    }
  }

  /** A whole number, written as a number or as text. */
  long whole() throws IOException {
    String text = text();
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException e) {
      throw expected("a whole number of 64 bits, not '" + Limits.cut(text) + "'");
    }
  }

  /** A time of microseconds, perhaps with a fraction, as nanoseconds. */
  long micros() throws IOException {
    String text = text();
    try {
      return text.indexOf('.') < 0 && text.indexOf('e') < 0 && text.indexOf('E') < 0
          ? Math.multiplyExact(Long.parseLong(text), NANOS_A_MICRO)
          : Math.round(Double.parseDouble(text) * NANOS_A_MICRO);
    } catch (NumberFormatException | ArithmeticException e) {
      throw expected("a time in microseconds, not '" + Limits.cut(text) + "'");
    }
  }

  /** The error of this place. */
  IOException expected(String what) {
    return new IOException(where() + "expected " + what);
  }

  private void skip() throws IOException {
    try {
      parser.skipChildren();
      if (parser.currentToken() == null) {
        throw expected("the end of a value");
      }
    } catch (JacksonException e) {
      throw damaged(e);
    }
  }

  private @Nullable JsonToken advance() throws IOException {
    try {
      return parser.nextToken();
    } catch (JacksonException e) {
      throw damaged(e);
    }
  }

  private String where() {
    TokenStreamLocation at = parser.currentTokenLocation();
    return "line " + at.getLineNr() + ", column " + at.getColumnNr() + ": ";
  }

  private IOException damaged(JacksonException e) {
    TokenStreamLocation at = parser.currentLocation();
    return new IOException(
        "line %d, column %d: it is no JSON or ends too early: %s"
            .formatted(at.getLineNr(), at.getColumnNr(), e.getOriginalMessage()),
        e);
  }
}
