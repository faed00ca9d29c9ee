package org.terrace.specification;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.terrace.load.mix.WeightedRequest;

/** Reads a mix of requests of one's own. Confined to one thread. */
final class RequestReader {
  private static final Pattern CLASS = Pattern.compile("\\S(?:.{0,98}\\S)?");

  private final Problems problems;

  RequestReader(Problems problems) {
    this.problems = problems;
  }

  Optional<List<WeightedRequest>> read(Node node, String key, Problems unused) {
    Optional<List<WeightedRequest>> requests = Values.list(this::request).read(node, key, problems);
    if (NodeTrees.elements(node).isEmpty()) {
      problems.add(
          node, key + " is an empty list, expected requests such as [{path: /, weight: 1}]");
    }
    return requests;
  }

  private Optional<WeightedRequest> request(Node node, String key, Problems unused) {
    Optional<Fields> found = Fields.of(node, "a request of " + key, problems);
    if (found.isEmpty()) {
      return Optional.empty();
    }
    Fields fields = found.get();
    Map<String, String> methods = new TreeMap<>();
    WeightedRequest.METHODS.forEach(method -> methods.put(method, method));
    String method = fields.optional("method", Values.oneOf(methods)).orElse("GET");
    Optional<String> path =
        fields.required(
            "path",
            Values.text(
                WeightedRequest.PATH,
                "path and query of a URL of the service, from its slash on, such as /items?page=2,"
                    + " with other characters than printable ASCII as %20 and so on"));
    Optional<Double> written =
        fields.optional("weight", Values.positive(WeightedRequest.MAXIMUM_WEIGHT));
    Optional<Double> weight = fields.has("weight") ? written : Optional.of(1.0);
    Optional<String> body = fields.optional("body", this::text);
    Map<String, String> headers = fields.optional("headers", this::headers).orElse(Map.of());
    Optional<String> requestClass =
        fields.optional("class", Values.text(CLASS, "a name of at most 100 characters"));
    fields.finish();
    if (path.isEmpty() || weight.isEmpty()) {
      return Optional.empty();
    }
    String usual = method + " " + path.get().split("\\?", 2)[0];
    return Optional.of(
        new WeightedRequest(
            requestClass.orElse(usual),
            method,
            path.get(),
            body.orElse(null),
            headers,
            weight.get()));
  }

  private Optional<Map<String, String>> headers(Node node, String key, Problems unused) {
    return Fields.of(node, key, problems)
        .map(fields -> {
          Map<String, String> headers = new LinkedHashMap<>();
          List<String> taken = new ArrayList<>(WeightedRequest.OWN_HEADERS);
          for (String name : fields.keys()) {
            String lower = name.toLowerCase(Locale.ROOT);
            if (!WeightedRequest.HEADER_NAME.matcher(name).matches()) {
              problems.add(fields.keyNode(name), "'" + name + "' is no name of a header field");
            } else if (taken.contains(lower)) {
              problems.add(
                  fields.keyNode(name),
                  "the header field '" + name + "' is set by the users themselves, or twice here");
            } else {
              taken.add(lower);
              fields
                  .optional(
                      name, Values.text(WeightedRequest.HEADER_VALUE, "a value in printable ASCII"))
                  .ifPresent(value -> headers.put(name, value));
            }
          }
          return headers;
        });
  }

  private Optional<String> text(Node node, String key, Problems unused) {
    if (node instanceof ScalarNode scalar) {
      return Optional.of(scalar.getValue());
    }
    problems.add(node, key + " is " + Words.describe(node) + ", expected a text");
    return Optional.empty();
  }
}
