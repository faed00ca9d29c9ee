package org.terrace.tracing.span;

import org.terrace.observation.Outcome;

/** Fields that only a requests table has, as attributes of a span; damaged ones are as missing. */
record OwnFields(Span span) {
  long whole(String key, long otherwise) {
    String value = span.attribute(key);
    if (value == null) {
      return otherwise;
    }
    try {
      return Long.parseLong(value);
    } catch (NumberFormatException e) {
      return otherwise;
    }
  }

  double confidence() {
    String value = span.attribute(Attributes.CONFIDENCE);
    try {
      double told = value == null ? 1 : Double.parseDouble(value);
      return told >= 0 && told <= 1 ? told : 1;
    } catch (NumberFormatException e) {
      return 1;
    }
  }

  Outcome outcome(Outcome otherwise) {
    String value = span.attribute(Attributes.OUTCOME);
    for (Outcome each : Outcome.values()) {
      if (each.name().equals(value)) {
        return each;
      }
    }
    return otherwise;
  }
}
