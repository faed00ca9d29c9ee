package org.terrace.mesh;

import java.util.LinkedHashMap;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/**
 * Fields of JSON objects that have to be there and of a type. Stateless.
 *
 * <p>Each throws an {@link IllegalArgumentException} that names the field.
 */
final class JsonFields {
  private JsonFields() {}

  static JsonNode required(JsonNode node, String name) {
    JsonNode value = node.path(name);
    if (value.isMissingNode() || value.isNull()) {
      throw new IllegalArgumentException("it lacks '" + name + "'");
    }
    return value;
  }

  static String text(JsonNode node, String name) {
    JsonNode value = required(node, name);
    if (!value.isString()) {
      throw new IllegalArgumentException("'" + name + "' is " + value + ", expected a text");
    }
    return value.asString();
  }

  static double number(JsonNode node, String name) {
    JsonNode value = required(node, name);
    if (!value.isNumber()) {
      throw new IllegalArgumentException("'" + name + "' is " + value + ", expected a number");
    }
    return value.asDouble();
  }

  static long whole(JsonNode node, String name) {
    double value = number(node, name);
    if (value != Math.rint(value) || Math.abs(value) > 1L << 53) {
      throw new IllegalArgumentException(
          "'" + name + "' is " + value + ", expected a whole number");
    }
    return (long) value;
  }

  static double[] numbers(JsonNode node, String name) {
    JsonNode array = required(node, name);
    double[] numbers = new double[array.size()];
    for (int i = 0; i < numbers.length; i++) {
      JsonNode value = array.path(i);
      if (!value.isNumber()) {
        throw new IllegalArgumentException("'" + name + "' holds " + value + ", expected a number");
      }
      numbers[i] = value.asDouble();
    }
    return numbers;
  }

  static long[] toLongs(double[] numbers) {
    long[] counts = new long[numbers.length];
    for (int i = 0; i < counts.length; i++) {
      counts[i] = Math.round(numbers[i]);
    }
    return counts;
  }

  static Map<String, String> texts(JsonNode object) {
    Map<String, String> texts = new LinkedHashMap<>();
    object.properties().forEach(entry -> texts.put(entry.getKey(), entry.getValue().asString()));
    return texts;
  }
}
