package org.terrace.studies.services;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A call that met a fault, and where its time went, in nanoseconds.
 *
 * @param startNanos when it was issued, since the Unix epoch
 */
public record FaultedCall(
    long startNanos,
    long elapsedNanos,
    long detectNanos,
    long namingNanos,
    long waitNanos,
    long connectNanos,
    long restoreNanos,
    long replyNanos) {

  public static List<FaultedCall> read(Path file) {
    try {
      List<FaultedCall> calls = new ArrayList<>();
      for (JsonNode call : JsonMapper.shared().readTree(Files.readString(file))) {
        JsonNode parts = call.path("breakdown");
        calls.add(
            new FaultedCall(
                call.path("startNanos").asLong(),
                call.path("elapsedNanos").asLong(),
                parts.path("detectNanos").asLong(),
                parts.path("namingNanos").asLong(),
                parts.path("waitNanos").asLong(),
                parts.path("connectNanos").asLong(),
                parts.path("restoreNanos").asLong(),
                parts.path("resendNanos").asLong() + parts.path("replyNanos").asLong()));
      }
      return calls;
    } catch (IOException e) {
      throw new TerraceException(
          ErrorCode.CHECK_FAILED, "the log of fail-overs " + file + " cannot be read: " + e, e);
    }
  }

  /** The rest of the call's time: the client's own work between its steps. */
  public long otherNanos() {
    long named = detectNanos + namingNanos + waitNanos + connectNanos + restoreNanos + replyNanos;
    return Math.max(0, elapsedNanos - named);
  }
}
