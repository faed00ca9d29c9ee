package org.terrace.observation;

import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.MessageTypeParser;

/**
 * The columns of the files of an observation. Every column is required; names carry the unit, and
 * times are plain nanoseconds since the Unix epoch, so that no reader rounds them.
 */
final class TableSchemas {
  static final MessageType SERVERS =
      MessageTypeParser.parseMessageType(
          """
          message servers {
            required binary name (STRING);
            required binary tier (STRING);
            required group addresses (LIST) {
              repeated group list { required binary element (STRING); }
            }
          }\
          """);

  static final MessageType REQUESTS =
      MessageTypeParser.parseMessageType(
          """
          message requests {
            required binary server (STRING);
            required binary requestClass (STRING);
            required binary client (STRING);
            required int64 intendedNanos;
            required int64 arrivalNanos;
            required int64 departureNanos;
            required int64 bytesIn;
            required int64 bytesOut;
            required binary outcome (STRING);
            required int32 connection;
          }\
          """);

  static final MessageType SAMPLES =
      MessageTypeParser.parseMessageType(
          """
          message samples {
            required binary node (STRING);
            required binary resource (STRING);
            required int64 timeNanos;
            required double value;
          }\
          """);

  static final MessageType EVENTS =
      MessageTypeParser.parseMessageType(
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
          """);

  private TableSchemas() {}
}
