import '../platform/log.ts';
import 'pg';
import 'typescript';
