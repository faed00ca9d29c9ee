package org.terrace.dashboard.results;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.json.JsonMapper;

/**
 * The trials of a mesh, counted. The file is read as a stream: its histograms and samples are
 * passed over.
 *
 * @param done the trials that count
 * @param failed those that failed
 * @param skipped those that have not been run
 */
record MeshCounts(int done, int failed, int skipped) {
  private static final JsonMapper JSON = JsonMapper.shared();

  int all() {
    return done + failed + skipped;
  }

  /**
   * Counts the trials in a file.
   *
   * @throws IOException if it cannot be read, or is no mesh
   */
  static MeshCounts read(Path file) throws IOException {
    int done = 0;
    int failed = 0;
    int skipped = 0;
    try (var input = Files.newInputStream(file);
        JsonParser parser = JSON.createParser(input)) {
      int depth = 0;
      for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
        depth += token.isStructStart() ? 1 : token.isStructEnd() ? -1 : 0;
        // The status is a field of a trial, an object of the array within the file's own object.
        if (token == JsonToken.PROPERTY_NAME && depth == 3) {
          boolean status = parser.currentName().equals("status");
          parser.nextToken();
          if (status) {
            switch (parser.getString()) {
              case "done" -> done++;
              case "failed" -> failed++;
              default -> skipped++;
            }
          }
          parser.skipChildren();
        }
      }
    } catch (JacksonException e) {
      throw new IOException("it is not JSON throughout", e);
    }
    return new MeshCounts(done, failed, skipped);
  }
}
