package org.terrace.studies.softstate;

import java.util.LinkedHashMap;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/**
 * One measurement of the pet store.
 *
 * @param figure the figure it is for: 6, 7 or 8
 * @param service the one service that was asked, or {@code all}
 * @param replicas replicas of each service
 * @param configuration how reads were spread
 * @param servicesAPage services asked at once
 * @param pages latencies of pages
 * @param readPages latencies of those that only read
 * @param failed pages that came to nothing
 * @param histogram pages in bins of 10 ms; the last bin takes all that are longer
 * @param services latencies of calls by service
 */
record PetRun(
    int figure,
    String service,
    int replicas,
    Spread configuration,
    int servicesAPage,
    Latency pages,
    Latency readPages,
    long failed,
    long[] histogram,
    Map<String, Latency> services) {

  /**
   * The policy that spreads reads over replicas.
   *
   * @param redundancy how many replicas each is sent to
   * @param adaptive whether the fastest are found again and again; if not, the first to reply to
   *     the first read is asked ever after
   * @param hedged whether a late reply makes the front end ask another replica
   */
  record Spread(int redundancy, boolean adaptive, boolean hedged) {
    String label() {
      return adaptive ? "k = " + redundancy + (hedged ? ", hedged" : "") : "first to reply";
    }
  }

  static PetRun of(int figure, String service, int replicas, Spread configuration, JsonNode json) {
    Map<String, Latency> services = new LinkedHashMap<>();
    json.path("services")
        .properties()
        .forEach(entry -> services.put(entry.getKey(), Latency.of(entry.getValue())));
    return new PetRun(
        figure,
        service,
        replicas,
        configuration,
        json.path("servicesAPage").asInt(),
        Latency.of(json.path("pages")),
        Latency.of(json.path("readPages")),
        json.path("pagesFailed").asLong(),
        json.path("histogram").valueStream().mapToLong(JsonNode::asLong).toArray(),
        services);
  }

  /** The same measurement, after one of too few pages whose failures count all the same. */
  PetRun withFailuresOf(PetRun before) {
    return new PetRun(
        figure,
        service,
        replicas,
        configuration,
        servicesAPage,
        pages,
        readPages,
        failed + before.failed,
        histogram,
        services);
  }
}
