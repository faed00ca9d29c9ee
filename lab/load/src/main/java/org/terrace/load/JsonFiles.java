package org.terrace.load;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Small JSON files, read whole and written atomically. */
final class JsonFiles {
  static final JsonMapper MAPPER =
      JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

  private JsonFiles() {}

  static ObjectNode object() {
    return MAPPER.createObjectNode();
  }

  static JsonNode read(Path file) {
    try {
      return MAPPER.readTree(Files.readString(file));
    } catch (IOException e) {
      throw new TerraceException(
          ErrorCode.BAD_INPUT,
          file + ": cannot be read (" + e + "); check that the path is right and the run ended.",
          e);
    } catch (JacksonException e) {
      throw new TerraceException(
          ErrorCode.BAD_INPUT, file + ": is not JSON: " + e.getOriginalMessage(), e);
    }
  }

  static void write(Path file, JsonNode json) {
    Path temporary = file.resolveSibling(file.getFileName() + ".partial");
    try {
      Files.writeString(temporary, MAPPER.writeValueAsString(json) + "\n");
      Files.move(
          temporary, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw new TerraceException(
          ErrorCode.MACHINE_LACKS,
          file + ": cannot be written (" + e + "); check the directory's rights and free space.",
          e);
    }
  }
}
