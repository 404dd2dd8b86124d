import 'coldfetch/testing/setup';
