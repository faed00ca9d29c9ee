package org.terrace.protocols.decoder;

import org.jspecify.annotations.Nullable;

/** The commands of MySQL and MariaDB, by the shape of their answers. Stateless. */
enum MySqlCommand {
  /** The start of a connection or another user on it: an exchange up to OK or an error. */
  LOGIN(-1, Shape.LOGIN, "CONNECT"),
  QUIT(0x01, Shape.NONE, ""),
  INIT_DB(0x02, Shape.ONE, "INIT DB"),
  QUERY(0x03, Shape.RESULTS, ""),
  FIELD_LIST(0x04, Shape.ROWS, "FIELD LIST"),
  CREATE_DB(0x05, Shape.ONE, "CREATE DB"),
  DROP_DB(0x06, Shape.ONE, "DROP DB"),
  REFRESH(0x07, Shape.ONE, "REFRESH"),
  SHUTDOWN(0x08, Shape.ONE, "SHUTDOWN"),
  STATISTICS(0x09, Shape.ONE, "STATISTICS"),
  PROCESS_INFO(0x0a, Shape.RESULTS, "PROCESS INFO"),
  PROCESS_KILL(0x0c, Shape.ONE, "PROCESS KILL"),
  DEBUG(0x0d, Shape.ONE, "DEBUG"),
  PING(0x0e, Shape.ONE, "PING"),
  CHANGE_USER(0x11, Shape.LOGIN, "CHANGE USER"),
  BINLOG_DUMP(0x12, Shape.ROWS, "BINLOG DUMP"),
  REGISTER_SLAVE(0x15, Shape.ONE, "REGISTER SLAVE"),
  STMT_PREPARE(0x16, Shape.PREPARE, ""),
  STMT_EXECUTE(0x17, Shape.RESULTS, ""),
  STMT_SEND_LONG_DATA(0x18, Shape.NONE, ""),
  STMT_CLOSE(0x19, Shape.NONE, ""),
  STMT_RESET(0x1a, Shape.ONE, "STMT RESET"),
  SET_OPTION(0x1b, Shape.ONE, "SET OPTION"),
  STMT_FETCH(0x1c, Shape.ROWS, "STMT FETCH"),
  BINLOG_DUMP_GTID(0x1e, Shape.ROWS, "BINLOG DUMP"),
  RESET_CONNECTION(0x1f, Shape.ONE, "RESET CONNECTION"),
  STMT_BULK_EXECUTE(0xfa, Shape.RESULTS, "");

  /** The shape of an answer. */
  enum Shape {
    /** The server does not answer. */
    NONE,
    /** One packet. */
    ONE,
    /** Results, one after the other, each OK or an error, or columns and rows. */
    RESULTS,
    /** The answer to a preparation: the statement, its parameters and its columns. */
    PREPARE,
    /** Rows, or the like, up to an end. */
    ROWS,
    /** Packets up to OK or an error. */
    LOGIN
  }

  private static final MySqlCommand[] ALL = values();
  private static final @Nullable MySqlCommand[] BY_CODE = new @Nullable MySqlCommand[256];

  static {
    for (MySqlCommand command : ALL) {
      if (command.code >= 0) {
        BY_CODE[command.code] = command;
      }
    }
  }

  final int code;
  final Shape shape;

  /** The class of its requests; empty where a statement is. */
  final String requestClass;

  MySqlCommand(int code, Shape shape, String requestClass) {
    this.code = code;
    this.shape = shape;
    this.requestClass = requestClass;
  }

  /** The command of a turn. */
  static MySqlCommand of(DatabaseTurns.Turn turn) {
    return ALL[turn.kind];
  }

  /** The command of a code, or null when there is none. */
  static @Nullable MySqlCommand of(int code) {
    return BY_CODE[code & 0xff];
  }
}
