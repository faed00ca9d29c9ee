package org.terrace.observation;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.parquet.schema.MessageTypeParser;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.terrace.observation.table.ParquetLook;
import org.terrace.observation.table.TableColumns;

/** The schemas that others read our files by, which the descriptions of the tables must give. */
class ParquetTableTest {
  record Schema(TableColumns<?> description, String text) {}

  static Schema[] schemas() {
    return new Schema[] {
      new Schema(
          new ServerColumns(),
          """
          message servers {
            required binary name (STRING);
            required binary tier (STRING);
            required group addresses (LIST) {
              repeated group list { required binary element (STRING); }
            }
          }\
          """),
      new Schema(
          new RequestColumns(),
          """
          message requests {
            required binary server (STRING);
            required binary requestClass (STRING);
            required binary client (STRING);
            required int64 intendedNanos;
            required int64 arrivalNanos;
              optional int64 requestEndNanos;
              optional int64 responseStartNanos;
            required int64 departureNanos;
            required int64 bytesIn;
            required int64 bytesOut;
            required binary outcome (STRING);
            required int32 connection;
              optional int64 firstFrame;
              optional int64 lastFrame;
              optional int64 identifier;
              optional int64 transaction;
              optional int64 span;
              optional int64 parent;
              optional double confidence;
              optional binary source (STRING);
              optional binary point (STRING);
              optional int64 pointArrivalNanos;
              optional int64 pointDepartureNanos;
          }\
          """),
      new Schema(
          new SampleColumns(),
          """
          message samples {
            required binary node (STRING);
            required binary resource (STRING);
            required int64 timeNanos;
            required double value;
          }\
          """),
      new Schema(
          new EventColumns(),
          """
          message events {
            required binary node (STRING);
            required binary kind (STRING);
            required int64 startNanos;
            required int64 endNanos;
            required group attributes (MAP) {
              repeated group key_value {
                required binary key (STRING);
                required binary value (STRING);
              }
            }
          }\
          """)
    };
  }

  @ParameterizedTest
  @MethodSource("schemas")
  void schemaFollowsFromTheDescription(Schema schema) {
    assertThat(ParquetLook.schema(schema.description()))
        .isEqualTo(MessageTypeParser.parseMessageType(schema.text()));
  }
}
