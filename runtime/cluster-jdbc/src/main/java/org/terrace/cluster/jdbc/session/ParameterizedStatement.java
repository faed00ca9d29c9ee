package org.terrace.cluster.jdbc.session;

import java.io.InputStream;
import java.io.Reader;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.sql.Array;
import java.sql.Blob;
import java.sql.Clob;
import java.sql.Date;
import java.sql.NClob;
import java.sql.PreparedStatement;
import java.sql.Ref;
import java.sql.RowId;
import java.sql.SQLException;
import java.sql.SQLType;
import java.sql.SQLXML;
import java.sql.Time;
import java.sql.Timestamp;
import java.sql.Types;
import java.util.ArrayList;
import java.util.Calendar;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.terrace.cluster.core.SqlStates;
import org.terrace.cluster.server.dialect.BoundParameter;
import org.terrace.cluster.server.dialect.ClusterArray;
import org.terrace.cluster.server.dialect.SpooledValues;
import org.terrace.cluster.server.dialect.StatementOptions;
import org.terrace.cluster.server.dialect.Unsupported;

/** The values of a statement's parameters, kept until it is executed. */
abstract class ParameterizedStatement extends ClusterStatement implements PreparedStatement {
  private static final int PLACES_MAX = 65_535;

  private final List<@Nullable BoundParameter> values = new ArrayList<>();

  ParameterizedStatement(ClusterConnection connection, StatementOptions options) {
    super(connection, options);
  }

  private void bind(int place, BoundParameter value) throws SQLException {
    checkOpen();
    if (place < 1 || place > PLACES_MAX) {
      throw new SQLException("There is no parameter " + place + ".", SqlStates.BAD_PARAMETER);
    }
    while (values.size() < place) {
      values.add(null);
    }
    values.set(place - 1, value);
  }

  private void bind(int place, @Nullable Object value, int typeOfNull) throws SQLException {
    bind(place, value == null ? BoundParameter.typed(null, typeOfNull) : BoundParameter.of(value));
  }

  /** The values, of which none may be missing. */
  final List<BoundParameter> bound() throws SQLException {
    List<BoundParameter> row = new ArrayList<>(values.size());
    for (int i = 0; i < values.size(); i++) {
      BoundParameter value = values.get(i);
      if (value == null) {
        throw new SQLException(
            "The parameter " + (i + 1) + " has no value.", SqlStates.BAD_PARAMETER);
      }
      row.add(value);
    }
    return row;
  }

  @Override
  public void clearParameters() throws SQLException {
    checkOpen();
    values.clear();
  }

  @Override
  public void setNull(int place, int sqlType) throws SQLException {
    bind(place, BoundParameter.typed(null, sqlType));
  }

  @Override
  public void setNull(int place, int sqlType, String typeName) throws SQLException {
    setNull(place, sqlType);
  }

  @Override
  public void setObject(int place, @Nullable Object value) throws SQLException {
    switch (value) {
      case null -> setNull(place, Types.NULL);
      case InputStream stream -> setBinaryStream(place, stream);
      case Reader reader -> setCharacterStream(place, reader);
      case Array array -> setArray(place, array);
      case Blob blob -> setBlob(place, blob);
      case Clob clob -> setClob(place, clob);
      default -> bind(place, BoundParameter.of(value));
    }
  }

  @Override
  public void setObject(int place, @Nullable Object value, int sqlType) throws SQLException {
    if (value instanceof InputStream
        || value instanceof Reader
        || value instanceof Array
        || value instanceof Blob
        || value instanceof Clob) {
      setObject(place, value);
    } else {
      bind(place, BoundParameter.typed(value, sqlType));
    }
  }

  @Override
  public void setObject(int place, @Nullable Object value, int sqlType, int scale)
      throws SQLException {
    Object scaled =
        value instanceof BigDecimal number ? number.setScale(scale, RoundingMode.HALF_UP) : value;
    setObject(place, scaled, sqlType);
  }

  @Override
  public void setObject(int place, @Nullable Object value, SQLType type) throws SQLException {
    setObject(place, value, type.getVendorTypeNumber());
  }

  @Override
  public void setObject(int place, @Nullable Object value, SQLType type, int scale)
      throws SQLException {
    setObject(place, value, type.getVendorTypeNumber(), scale);
  }

  @Override
  public void setBoolean(int place, boolean value) throws SQLException {
    bind(place, BoundParameter.of(value));
  }

  @Override
  public void setByte(int place, byte value) throws SQLException {
    bind(place, BoundParameter.of(value));
  }

  @Override
  public void setShort(int place, short value) throws SQLException {
    bind(place, BoundParameter.of(value));
  }

  @Override
  public void setInt(int place, int value) throws SQLException {
    bind(place, BoundParameter.of(value));
  }

  @Override
  public void setLong(int place, long value) throws SQLException {
    bind(place, BoundParameter.of(value));
  }

  @Override
  public void setFloat(int place, float value) throws SQLException {
    bind(place, BoundParameter.of(value));
  }

  @Override
  public void setDouble(int place, double value) throws SQLException {
    bind(place, BoundParameter.of(value));
  }

  @Override
  public void setBigDecimal(int place, @Nullable BigDecimal value) throws SQLException {
    bind(place, value, Types.NUMERIC);
  }

  @Override
  public void setString(int place, @Nullable String value) throws SQLException {
    bind(place, value, Types.VARCHAR);
  }

  @Override
  public void setNString(int place, @Nullable String value) throws SQLException {
    bind(place, value, Types.VARCHAR);
  }

  @Override
  public void setDate(int place, @Nullable Date value) throws SQLException {
    bind(place, value, Types.DATE);
  }

  @Override
  public void setTime(int place, @Nullable Time value) throws SQLException {
    bind(place, value, Types.TIME);
  }

  @Override
  public void setTimestamp(int place, @Nullable Timestamp value) throws SQLException {
    bind(place, value, Types.TIMESTAMP);
  }

  @Override
  public void setBytes(int place, byte @Nullable [] value) throws SQLException {
    bind(place, value == null ? null : value.clone(), Types.VARBINARY);
  }

  @Override
  public void setArray(int place, @Nullable Array value) throws SQLException {
    if (value == null) {
      setNull(place, Types.ARRAY);
    } else if (value instanceof ClusterArray own) {
      bind(place, BoundParameter.of(own.value()));
    } else {
      throw Unsupported.method(
          "An array of another connection", "make it with createArrayOf of this one.");
    }
  }

  @Override
  public void setDate(int place, @Nullable Date value, @Nullable Calendar calendar)
      throws SQLException {
    if (calendar != null && !calendar.getTimeZone().equals(Calendar.getInstance().getTimeZone())) {
      throw Unsupported.method("setDate with another time zone", "use java.time.OffsetDateTime.");
    }
    setDate(place, value);
  }

  @Override
  public void setTime(int place, @Nullable Time value, @Nullable Calendar calendar)
      throws SQLException {
    if (calendar != null && !calendar.getTimeZone().equals(Calendar.getInstance().getTimeZone())) {
      throw Unsupported.method("setTime with another time zone", "use java.time.OffsetDateTime.");
    }
    setTime(place, value);
  }

  @Override
  public void setTimestamp(int place, @Nullable Timestamp value, @Nullable Calendar calendar)
      throws SQLException {
    if (calendar != null && !calendar.getTimeZone().equals(Calendar.getInstance().getTimeZone())) {
      throw Unsupported.method(
          "setTimestamp with another time zone", "use java.time.OffsetDateTime.");
    }
    setTimestamp(place, value);
  }

  @Override
  public void setAsciiStream(int place, @Nullable InputStream stream) throws SQLException {
    setAsciiStream(place, stream, -1L);
  }

  @Override
  public void setAsciiStream(int place, @Nullable InputStream stream, int length)
      throws SQLException {
    setAsciiStream(place, stream, (long) length);
  }

  @Override
  public void setAsciiStream(int place, @Nullable InputStream stream, long length)
      throws SQLException {
    byte[] bytes = stream == null ? null : SpooledValues.bytes(stream, length);
    String text = bytes == null ? null : new String(bytes, StandardCharsets.US_ASCII);
    bind(place, text, Types.VARCHAR);
  }

  @Override
  public void setBinaryStream(int place, @Nullable InputStream stream) throws SQLException {
    bind(place, stream == null ? null : SpooledValues.bytes(stream, -1), Types.VARBINARY);
  }

  @Override
  public void setBinaryStream(int place, @Nullable InputStream stream, int length)
      throws SQLException {
    bind(place, stream == null ? null : SpooledValues.bytes(stream, length), Types.VARBINARY);
  }

  @Override
  public void setBinaryStream(int place, @Nullable InputStream stream, long length)
      throws SQLException {
    bind(place, stream == null ? null : SpooledValues.bytes(stream, length), Types.VARBINARY);
  }

  @Override
  public void setCharacterStream(int place, @Nullable Reader reader) throws SQLException {
    bind(place, reader == null ? null : SpooledValues.text(reader, -1), Types.VARCHAR);
  }

  @Override
  public void setCharacterStream(int place, @Nullable Reader reader, long length)
      throws SQLException {
    bind(place, reader == null ? null : SpooledValues.text(reader, length), Types.VARCHAR);
  }

  @Override
  public void setCharacterStream(int place, @Nullable Reader reader, int length)
      throws SQLException {
    bind(place, reader == null ? null : SpooledValues.text(reader, length), Types.VARCHAR);
  }

  @Override
  public void setNCharacterStream(int place, @Nullable Reader reader) throws SQLException {
    bind(place, reader == null ? null : SpooledValues.text(reader, -1), Types.VARCHAR);
  }

  @Override
  public void setNCharacterStream(int place, @Nullable Reader reader, long length)
      throws SQLException {
    bind(place, reader == null ? null : SpooledValues.text(reader, length), Types.VARCHAR);
  }

  @Override
  public void setClob(int place, @Nullable Clob value) throws SQLException {
    setClob(place, value == null ? null : value.getCharacterStream());
  }

  @Override
  public void setClob(int place, @Nullable Reader reader) throws SQLException {
    setCharacterStream(place, reader);
  }

  @Override
  public void setClob(int place, @Nullable Reader reader, long length) throws SQLException {
    setCharacterStream(place, reader, length);
  }

  @Override
  public void setNClob(int place, @Nullable NClob value) throws SQLException {
    setNClob(place, value == null ? null : value.getCharacterStream());
  }

  @Override
  public void setNClob(int place, @Nullable Reader reader) throws SQLException {
    setCharacterStream(place, reader);
  }

  @Override
  public void setNClob(int place, @Nullable Reader reader, long length) throws SQLException {
    setCharacterStream(place, reader, length);
  }

  @Override
  public void setBlob(int place, @Nullable Blob value) throws SQLException {
    setBinaryStream(place, value == null ? null : value.getBinaryStream());
  }

  @Override
  public void setBlob(int place, @Nullable InputStream stream) throws SQLException {
    setBinaryStream(place, stream);
  }

  @Override
  public void setBlob(int place, @Nullable InputStream stream, long length) throws SQLException {
    setBinaryStream(place, stream, length);
  }

  @Override
  public void setRef(int place, Ref value) throws SQLException {
    throw Unsupported.method("setRef", "use a key.");
  }

  @Override
  public void setRowId(int place, RowId value) throws SQLException {
    throw Unsupported.method("setRowId", "a row's place is another at each replica. Use a key.");
  }

  @Override
  public void setURL(int place, URL value) throws SQLException {
    throw Unsupported.method("setURL", "use setString.");
  }

  @Override
  public void setSQLXML(int place, SQLXML value) throws SQLException {
    throw Unsupported.method("setSQLXML", "use setString and a cast.");
  }

  @Override
  @Deprecated
  public void setUnicodeStream(int place, InputStream stream, int length) throws SQLException {
    throw Unsupported.method("setUnicodeStream", "use setCharacterStream.");
  }
}
