package org.terrace.studies.softstate;

import tools.jackson.databind.JsonNode;

/**
 * One measurement of the cart.
 *
 * @param store where it was kept
 * @param clients concurrent clients
 * @param calls latencies of all calls
 * @param reads latencies of reads
 * @param updates latencies of updates
 * @param failed calls that came to nothing
 * @param missing acknowledged updates that a replica lacked at the end
 * @param tooMany updates that were there without having been asked for
 * @param askedAgain updates that the front end sent a second time
 * @param secondsToAgree how long after the load until every replica had everything
 * @param data times that servers spent with the data meanwhile
 */
record CartRun(
    Store store,
    int clients,
    Latency calls,
    Latency reads,
    Latency updates,
    long failed,
    long missing,
    long tooMany,
    long askedAgain,
    double secondsToAgree,
    DataTimes data) {

  static CartRun of(Store store, JsonNode json, DataTimes data) {
    return new CartRun(
        store,
        json.path("clients").asInt(),
        Latency.of(json.path("calls")),
        Latency.of(json.path("reads")),
        Latency.of(json.path("updates")),
        failures(json),
        json.path("acknowledgedUpdatesMissing").asLong(),
        json.path("updatesTooMany").asLong(),
        json.path("askedAgain").asLong(),
        json.path("secondsToAgree").asDouble(),
        data.between(json.path("startEpochMillis").asLong(), json.path("endEpochMillis").asLong()));
  }

  /** The same measurement, after one of too few calls whose losses count all the same. */
  CartRun withLossesOf(CartRun before) {
    return new CartRun(
        store,
        clients,
        calls,
        reads,
        updates,
        failed + before.failed,
        missing + before.missing,
        tooMany + before.tooMany,
        askedAgain + before.askedAgain,
        Math.max(secondsToAgree, before.secondsToAgree),
        data);
  }

  static long failures(JsonNode json) {
    return json.path("readsFailed").asLong()
        + json.path("updatesUnknown").asLong()
        + json.path("updatesNotExecuted").asLong();
  }
}
