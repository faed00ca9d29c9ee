/**
 * MariaDB as an ordinary process, for those whose service uses it: the counterpart of the package
 * {@code postgres}.
 */
package org.terrace.databases.mariadb;
