package org.terrace.specification;

import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import tools.jackson.databind.json.JsonMapper;

/** The published schema, as an editor would apply it to a YAML file. */
final class ExperimentSchema {
  private final Schema schema =
      SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
          .getSchema(text(), InputFormat.JSON);

  static String text() {
    try (InputStream stream =
        SpecificationReader.class.getResourceAsStream(SpecificationReader.SCHEMA)) {
      return new String(Objects.requireNonNull(stream).readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  List<String> errors(String yaml) {
    Object tree = new Load(LoadSettings.builder().build()).loadFromString(yaml);
    String json = JsonMapper.shared().writeValueAsString(tree);
    return schema.validate(json, InputFormat.JSON).stream().map(Object::toString).toList();
  }
}
